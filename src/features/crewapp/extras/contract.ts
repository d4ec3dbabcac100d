import { z } from 'zod'
import { extraKinds, extraStates, longestStep } from '../../extras/rules.ts'

/** What a stop costs its customer more, as its crew sees it: nothing about money. */
export const StopExtra = z.object({
  id: z.uuid(),
  kind: z.enum(extraKinds),
  state: z.enum(extraStates),
  title: z.string(),
  titleEs: z.string(),
  /** First name of who said it. */
  by: z.string(),
  /** Whether the crew may still take it back. */
  open: z.boolean(),
  /** What the office said to it. */
  why: z.string(),
})
export type StopExtra = z.output<typeof StopExtra>

/** What a crew may say of its stops. */
export const CrewExtras = z.object({
  /** Null where the business charges nothing for it. */
  overgrown: z
    .object({
      asks: z.boolean(),
      steps: z.array(z.object({ id: z.string(), en: z.string().max(longestStep), es: z.string() })),
    })
    .nullable(),
})
export type CrewExtras = z.output<typeof CrewExtras>

/** What a command about an extra carries. */
export const extraPayload = {
  overgrown: z
    .object({
      stepId: z.string().min(1).max(40),
      note: z.string().max(500).default(''),
      /** Photos of the visit that follow, by their ids. */
      photoIds: z.array(z.uuid()).min(1).max(5),
    })
    .optional(),
  extraId: z.uuid().optional(),
}
