import type { Day } from '../../../shared/dates.ts'
import type { CrewCheck, TruckCheck } from '../../equipment/checks/contract.ts'
import { linesOf } from '../../equipment/checks/rules.ts'
import { readingProblem } from '../../equipment/rules.ts'

/** A truck check while a phone is at it, and what it sends. */

export type Defect = {
  id: string
  note: string
  stops: boolean
  photos: readonly { id: string; blob: Blob; takenAt: string }[]
}
/** By line: true is OK, a defect is not. */
export type Draft = { answers: Readonly<Record<string, true | Defect>>; meters: Readonly<Record<string, string>> }
export const emptyDraft: Draft = { answers: {}, meters: {} }

export type Line = { key: string; equipmentId: string | null; itemId: string; en: string; es: string }

/** Every point of a check in its order. */
export const linesFor = (check: CrewCheck): Line[] =>
  linesOf(check.items, check.equipment).flatMap(({ equipmentId, items }) =>
    items.map((item) => ({
      key: `${equipmentId ?? 'crew'} ${item.id}`,
      equipmentId,
      itemId: item.id,
      en: item.en,
      es: item.es,
    })),
  )

export const openLines = (check: CrewCheck, draft: Draft): Line[] =>
  linesFor(check).filter(({ key }) => draft.answers[key] === undefined)

/** "1,234.5" as tenths; null for what is no number of a meter. */
export const tenthsOf = (text: string): number | null => {
  const bare = text.trim().replaceAll(',', '')
  if (!/^\d{1,7}(\.\d*)?$/.test(bare)) return null
  return Math.round(Number(bare) * 10)
}

/** What a phone asks of what somebody typed for a meter, before it is sent: no number, less than before, more than can be. */
export const meterQuestion = (
  typed: string,
  { meter, tenths, readOn }: CrewCheck['equipment'][number],
  today: Day,
): 'notANumber' | 'lower' | 'far' | null => {
  if (typed.trim() === '' || meter === null) return null
  const read = tenthsOf(typed)
  if (read === null) return 'notANumber'
  if (tenths === null) return null
  // a day that was kept on the phone by an older version of the app knows no day of the reading
  const problem = readingProblem({ tenths: read, on: today }, meter, { tenths, on: readOn ?? today }, null)
  return problem === 'lower' || (problem === 'far' && readOn) ? problem : null
}

/** What the phone sends of it. */
export const commandOf = (check: CrewCheck, draft: Draft): TruckCheck => ({
  readings: check.equipment.flatMap(({ id, meter }) => {
    const tenths = meter === null ? null : tenthsOf(draft.meters[id] ?? '')
    return tenths === null ? [] : [{ equipmentId: id, tenths }]
  }),
  answers: linesFor(check).map(({ key, equipmentId, en }) => {
    const answer = draft.answers[key]
    return answer === undefined || answer === true
      ? { equipmentId, item: en, ok: true }
      : {
          equipmentId,
          item: en,
          ok: false,
          defect: {
            id: answer.id,
            note: answer.note.trim(),
            stops: answer.stops,
            photoIds: answer.photos.map(({ id }) => id),
          },
        }
  }),
})
