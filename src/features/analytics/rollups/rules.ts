import { addDays, addMonths, type Day } from '../../../shared/dates.ts'

/** Which days of a span are read as sums of whole months, and which by themselves. Days and months are local; a month is its first day. */

type Days = { from: Day; to: Day }

export const lastOfMonth = (month: Day): Day => addDays(addMonths(month, 1), -1)

/** The months that lie in a span from their first day to their last. */
export const wholeMonths = ({ from, to }: Days): Day[] => {
  const months: Day[] = []
  const first = `${from.slice(0, 7)}-01`
  for (let month = first < from ? addMonths(first, 1) : first; lastOfMonth(month) <= to; month = addMonths(month, 1))
    months.push(month)
  return months
}

/** The days of a span that lie in none of some months of it, in as few stretches as they are. @param months in their order */
export const daysBeside = ({ from, to }: Days, months: readonly Day[]): Days[] => {
  const stretches: Days[] = []
  let next = from
  for (const month of months) {
    if (next < month) stretches.push({ from: next, to: addDays(month, -1) })
    next = addDays(lastOfMonth(month), 1)
  }
  return next <= to ? [...stretches, { from: next, to }] : stretches
}
