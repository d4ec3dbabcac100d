import { csvText } from '../../../../shared/csv.ts'
import { type Day, dayOf, formatDay } from '../../../../shared/dates.ts'
import { applicationColumns } from '../../applog/rules.ts'
import { fieldLabel } from '../../rules.ts'
import { sourceOf } from '../../states/rules.ts'
import type { ApplicationFacts, ApplicationRecord } from '../contract.ts'
import { factLines, instantText } from '../rules.ts'

/** Records as files: every field of each, as they stand after their last amendment. */

/** A row for each product of each record. */
export const recordsCsv = (records: readonly ApplicationRecord[], timeZone: string): string =>
  csvText([
    applicationColumns.map(({ label }) => label),
    ...records.flatMap((record) =>
      record.facts.products.map((product) => applicationColumns.map(({ of }) => of(record, product, timeZone))),
    ),
  ])

export type RecordPaper = {
  title: string
  business: string
  /** What was asked for: "Georgia, Jan 1 to Dec 31, 2026" */
  sub: string
  records: { title: string; lines: { label: string; text: string }[] }[]
}

const yearly = (day: Day): string => formatDay(day, { year: true })

const nameOfPeriod = (from: Day, to: Day): string => (from === to ? yearly(from) : `${yearly(from)} to ${yearly(to)}`)

/** What a customer reads of their own lawn: neither who lives next door nor what the crew notes for the office. */
const notForCustomers = new Set(['Neighbors told', 'Incident', 'Disposal'])

/** The records of a customer's lawns as they stand now, for the customer: what was applied, how, by whom and when to keep off. */
export const customerPaper = (
  facts: readonly ApplicationFacts[],
  { business, timeZone }: { business: string; timeZone: string },
): RecordPaper => ({
  title: 'Lawn treatments',
  business,
  sub: `${facts[0]?.customer ?? ''} · ${facts.length} ${facts.length === 1 ? 'record' : 'records'}`,
  records: facts.map((one) => ({
    title: `${instantText(one.startedAt, timeZone)} · ${one.site}`,
    lines: factLines(one, timeZone).filter(({ label, text }) => text !== '' && !notForCustomers.has(label)),
  })),
})

/** What stands on the paper, as plain data for the thread that draws it. */
export const recordPaper = (
  records: readonly ApplicationRecord[],
  { business, from, to, what, timeZone }: { business: string; from: Day; to: Day; what: string; timeZone: string },
): RecordPaper => ({
  title: 'Pesticide application records',
  business,
  sub: [what, nameOfPeriod(from, to), `${records.length} ${records.length === 1 ? 'record' : 'records'}`]
    .filter(Boolean)
    .join(' · '),
  records: records.map((record) => {
    const lines = factLines(record.facts, timeZone)
    return {
      title: `${instantText(record.facts.startedAt, timeZone)} · ${lines.find(({ label }) => label === 'Site')?.text ?? ''}`,
      lines: [
        ...lines,
        {
          label: 'Entered',
          text: `${instantText(record.enteredAt, timeZone)}${record.enteredBy ? ` by ${record.enteredBy}` : ''}${record.late ? ', more than 24 hours later' : ''}`,
        },
        ...record.amendments.map((one) => ({
          label: `Amended ${yearly(dayOf(one.at, timeZone))}`,
          text: `${one.reason} (${one.changes.map(({ label, from: was, to: is }) => `${label}: ${was || 'nothing'} to ${is || 'nothing'}`).join('; ')})${one.by ? `, ${one.by}` : ''}`,
        })),
        ...(record.missing.length > 0
          ? [
              {
                label: 'Missing',
                text: `${record.missing.map((field) => fieldLabel[field]).join(', ')} (asked for by ${sourceOf(record.facts.state)})`,
              },
            ]
          : []),
      ].filter(({ text }) => text !== ''),
    }
  }),
})
