weights w = [[[1,2],[3]],[],[[[]]]]
boundary u { -x = 1; +y = (1,2)
 z = mirror }
