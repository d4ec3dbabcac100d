import { formatDay } from '#src/shared/dates.ts'
import { formatCents } from '#src/shared/money.ts'
import type { FieldWords } from '#src/ui/TwoAnswers.tsx'
import type { JobRecord } from '../contract.ts'
import type { Recurrence, Undated } from '../rules.ts'
import { scheduleText } from '../wording/rules.ts'
import { billingWords } from './BillingField.tsx'
import { formOf, linesToSend } from './lines.ts'

/** What the editor of a job changes, as it is sent. */
export const jobFields = (job: JobRecord) => {
  const { lines, schedule } = formOf(job)
  return {
    title: job.title,
    instructions: job.instructions,
    poNumber: job.poNumber,
    crewId: job.crew?.id ?? null,
    keepDay: job.keepDay,
    billing: job.billing,
    endOn: job.endOn,
    lines: linesToSend(lines, schedule),
  }
}
type Named = { id: string; name: string }

/** What the form calls these fields; services and crews go by their names. */
export const jobWords = (
  services: readonly Named[],
  crews: readonly Named[],
): FieldWords<ReturnType<typeof jobFields>> => ({
  title: 'Title',
  instructions: 'For the crew',
  poNumber: 'PO number',
  crewId: {
    label: 'Crew',
    show: (id) => (id === null ? 'No crew' : (crews.find((crew) => crew.id === id)?.name ?? 'A crew')),
  },
  billing: { label: 'Billing', show: (billing) => billingWords[billing] },
  keepDay: { label: 'Keeps this day', show: (keeps) => (keeps ? 'Yes' : 'No') },
  endOn: { label: 'Ends', show: (day) => (day === null ? 'No end' : formatDay(day, { year: true })) },
  lines: {
    label: 'Work, price and schedule',
    show: (lines) =>
      lines
        .map((line) =>
          [
            `${services.find((service) => service.id === line.serviceId)?.name ?? 'A service'}${line.quantity === 1 ? '' : ` × ${line.quantity}`}`,
            line.description,
            line.unitPriceCents === undefined ? '' : formatCents(line.unitPriceCents),
            line.budgetMinutes === undefined ? '' : `${line.budgetMinutes} min`,
            scheduleText({
              recurrence: (line.recurrence ?? null) as Recurrence | null,
              onceOn: line.onceOn ?? null,
              undated: (line.undated ?? null) as Undated | null,
            }),
          ]
            .filter(Boolean)
            .join(', '),
        )
        .join('\n'),
  },
})
