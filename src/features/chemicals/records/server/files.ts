import { csvText } from '../../../../shared/csv.ts'
import { type Day, dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { dilutionOf, fieldLabel, signalLabel } from '../../rules.ts'
import { sourceOf } from '../../states/rules.ts'
import type { ApplicationFacts, ApplicationRecord } from '../contract.ts'
import { factLines, instantText, licenseLabel } from '../rules.ts'

/** Records as files: every field of each, as they stand after their last amendment. */

const head = [
  'Record',
  'Day',
  'Began',
  'Ended',
  'Customer',
  'Billing address',
  'Site',
  'ZIP',
  'State',
  'Area',
  'Square feet',
  'Mix',
  'Product',
  'EPA reg. no.',
  'Formulation',
  'Signal word',
  'Restricted use',
  'Rate per 1,000 sq ft',
  'Total amount',
  'Unit',
  'Water (gal)',
  'Per gallon',
  'Target',
  'Method',
  'Equipment',
  'Wind (mph)',
  'Wind from',
  'Temperature (F)',
  'Sky',
  'Soil',
  'Weather is from',
  'Applied by',
  'License no.',
  'Supervisor',
  "Supervisor's license no.",
  'License',
  'Keep off until',
  'Sign posted',
  'Notice left',
  'Neighbors told',
  'Incident',
  'Disposal',
  'Signed',
  'Entered',
  'Entered late',
  'Amendments',
  'Missing',
]

/** An instant as a table keeps it, so that days sort. */
const instant = (at: string | null, timeZone: string): string =>
  at ? `${dayOf(at, timeZone)} ${formatTime(at, timeZone)}` : ''

const yes = (is: boolean): string => (is ? 'yes' : 'no')

/** A row for each product of each record. */
export const recordsCsv = (records: readonly ApplicationRecord[], timeZone: string): string =>
  csvText([
    head,
    ...records.flatMap((record) => {
      const { facts } = record
      return facts.products.map((one) => [
        record.id,
        record.day,
        formatTime(facts.startedAt, timeZone),
        formatTime(facts.endedAt, timeZone),
        facts.customer,
        facts.billing,
        facts.site,
        facts.zip,
        facts.state,
        facts.areaName,
        facts.areaSquareFeet,
        facts.mix,
        one.name,
        one.epaNumber,
        one.formulation,
        signalLabel[one.signalWord],
        yes(one.restricted),
        one.rate,
        one.amount,
        one.unit,
        facts.carrierGallons,
        dilutionOf(one.amount, facts.carrierGallons),
        facts.target,
        facts.method,
        facts.equipment,
        facts.weather.windMph,
        facts.weather.windFrom,
        facts.weather.temperatureF,
        facts.weather.sky,
        facts.soil,
        facts.weather.source,
        facts.applicator.name,
        facts.applicator.license,
        facts.supervisor?.name,
        facts.supervisor?.license,
        licenseLabel[facts.license],
        instant(facts.keepOffUntil, timeZone),
        yes(facts.signPosted),
        facts.noticeLeft,
        facts.neighborsTold,
        facts.incident,
        facts.disposal,
        facts.signature,
        instant(record.enteredAt, timeZone),
        yes(record.late),
        record.amendments.map(({ at, reason }) => `${dayOf(at, timeZone)}: ${reason}`).join('; '),
        record.missing.map((field) => fieldLabel[field]).join(', '),
      ])
    }),
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
