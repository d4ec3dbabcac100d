import { shiftTime } from './picture-time.ts'

shiftTime()
