import type { KnownJob } from '../../jobs/imported/server/queries.ts'
import type { ImportedJob } from './work-cells.ts'

/** Whether work that a file brings is there already. */

type Rhythm = Pick<ImportedJob['lines'][number], 'recurrence' | 'onceOn'> & { undated: unknown }

const rhythmOf = ({ recurrence: rule, onceOn, undated }: Rhythm): string =>
  rule
    ? JSON.stringify([rule.freq, rule.interval, [...rule.weekdays].sort(), rule.nth ?? null, rule.dayOfMonth ?? null])
    : (onceOn ?? JSON.stringify((undated as { kind?: string } | null)?.kind ?? null))

const rhythmsOf = (lines: readonly Rhythm[]): string => lines.map(rhythmOf).sort().join('\n')
const workOf = (lines: readonly { service: string }[]): string =>
  [...new Set(lines.map(({ service }) => service.toLowerCase()))].sort().join(', ')

/** The job of a property that does the same work as a row of a file: with the same rhythm, or from the same day. */
export const findSameJob = (
  there: readonly KnownJob[],
  propertyId: string,
  job: Pick<ImportedJob, 'title' | 'startOn' | 'lines'>,
): KnownJob | undefined =>
  there.find(
    (one) =>
      one.propertyId === propertyId &&
      (workOf(one.lines) === workOf(job.lines) ||
        one.title.toLowerCase() ===
          (job.title || [...new Set(job.lines.map(({ service }) => service))].join(', ')).toLowerCase()) &&
      (rhythmsOf(one.lines) === rhythmsOf(job.lines) || one.startOn === job.startOn),
  )
