import { z } from 'zod'

const NoticeDay = z.string()

/** What a crew's phone is told by the office; the phone has the words in both languages. */
export const CrewNotice = z.discriminatedUnion('code', [
  /** On a crew, or on none, from a day to a day; null is from then on. */
  z.object({ code: z.literal('crew'), crew: z.string().nullable(), from: NoticeDay, to: NoticeDay.nullable() }),
  z.object({ code: z.literal('crewBack') }),
  /** A stop that was on the list: it has another day, another crew that day, or none. */
  z.object({ code: z.literal('moved'), street: z.string(), day: NoticeDay.nullable(), sameDay: z.boolean() }),
  z.object({
    code: z.literal('route'),
    day: NoticeDay,
    stops: z.number().int(),
    firstMinute: z.number().int().nullable(),
    again: z.boolean(),
  }),
])
export type CrewNotice = z.output<typeof CrewNotice>
