import { z } from 'zod'
import { mostPoints, strokeColors } from './strokes.ts'

/** A line as it goes over the wire. Apart from what draws it, which a phone loads: a validator is no part of a drawing. */
export const Stroke = z.object({
  id: z.string().min(1).max(40),
  color: z.enum(strokeColors),
  points: z
    .array(z.number().min(0).max(1))
    .min(2)
    .max(2 * mostPoints)
    .refine((points) => points.length % 2 === 0, 'Each point has two numbers.'),
})
