import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { type ForCompleteness, type LicenseVerdict, plainNumber, signalLabel } from '../rules.ts'
import type { ApplicationDraft, ApplicationFacts } from './contract.ts'

/** How a record reads: on the screen, in a file, and in what an amendment changed. */

/** What decides whether a record is complete. */
export const completenessOf = (facts: ApplicationFacts): ForCompleteness => ({
  state: facts.state,
  areaSquareFeet: facts.areaSquareFeet,
  startedAt: facts.startedAt,
  products: facts.products,
  target: facts.target,
  method: facts.method,
  equipment: facts.equipment,
  windMph: facts.weather.windMph,
  windFrom: facts.weather.windFrom,
  temperatureF: facts.weather.temperatureF,
  applicator: facts.applicator.name,
  licenseNumber: [facts.applicator.license, facts.supervisor?.license].filter(Boolean).join(', '),
  license: facts.license,
  signPosted: facts.signPosted,
  noticeLeft: facts.noticeLeft,
  disposal: facts.disposal,
})

export const licenseLabel: Readonly<Record<LicenseVerdict, string>> = {
  notNeeded: 'Not needed',
  own: 'Valid license',
  supervised: 'Under supervision',
  missing: 'No valid license',
  refused: 'No valid license',
}

const personText = (person: { name: string; license: string } | null): string =>
  person ? [person.name, person.license].filter(Boolean).join(', ') : ''

export const windText = ({ windMph, windFrom }: ApplicationFacts['weather']): string =>
  windMph === null ? '' : `${plainNumber(windMph)} mph${windFrom ? ` from ${windFrom}` : ''}`

const sourceText = { forecast: 'from the forecast', typed: 'typed in', none: 'not known' } as const

/** "12 fl oz of Trimec, EPA 2217-539, 1.5 fl oz for 1,000 sq ft" */
export const productText = (one: ApplicationFacts['products'][number]): string =>
  [
    `${plainNumber(one.amount)} ${one.unit} of ${one.name}`,
    one.epaNumber ? `EPA ${one.epaNumber}` : '',
    one.rate === null ? '' : `${plainNumber(one.rate)} ${one.unit} for 1,000 sq ft`,
    one.restricted ? 'restricted use' : '',
    one.signalWord ? signalLabel[one.signalWord] : '',
  ]
    .filter(Boolean)
    .join(', ')

/** An instant as a paper says it: "Fri, Jun 12, 2026, 2:10 PM". */
export const instantText = (at: string, timeZone: string): string =>
  `${formatDay(dayOf(at, timeZone), { year: true })}, ${formatTime(at, timeZone)}`

/** Every field of a record with its label, in the order in which a person reads it; what is empty has an empty text. */
export const factLines = (facts: ApplicationFacts, timeZone: string): { label: string; text: string }[] => [
  { label: 'Customer', text: facts.customer },
  { label: 'Billing address', text: facts.billing },
  { label: 'Site', text: `${facts.site}, ${facts.state} ${facts.zip}`.trim() },
  {
    label: 'Area',
    text: [facts.areaName, `${facts.areaSquareFeet.toLocaleString('en-US')} sq ft`].filter(Boolean).join(', '),
  },
  { label: 'Began', text: instantText(facts.startedAt, timeZone) },
  { label: 'Ended', text: instantText(facts.endedAt, timeZone) },
  { label: 'Mix', text: facts.mix },
  ...facts.products.map((one, index) => ({
    label: facts.products.length > 1 ? `Product ${index + 1}` : 'Product',
    text: productText(one),
  })),
  { label: 'Water', text: facts.carrierGallons === null ? '' : `${plainNumber(facts.carrierGallons)} gal` },
  { label: 'Target', text: facts.target },
  { label: 'Method', text: facts.method },
  { label: 'Equipment', text: facts.equipment },
  { label: 'Wind', text: windText(facts.weather) },
  {
    label: 'Temperature',
    text: facts.weather.temperatureF === null ? '' : `${plainNumber(facts.weather.temperatureF)} °F`,
  },
  { label: 'Sky', text: facts.weather.sky },
  { label: 'Weather', text: sourceText[facts.weather.source] },
  { label: 'Soil', text: facts.soil },
  { label: 'Applied by', text: personText(facts.applicator) },
  { label: 'Supervisor', text: personText(facts.supervisor) },
  { label: 'License', text: licenseLabel[facts.license] },
  { label: 'Keep off until', text: facts.keepOffUntil ? instantText(facts.keepOffUntil, timeZone) : '' },
  { label: 'Sign posted', text: facts.signPosted ? 'Yes' : 'No' },
  { label: 'Notice left', text: facts.noticeLeft },
  { label: 'Neighbors told', text: facts.neighborsTold },
  { label: 'Incident', text: facts.incident },
  { label: 'Disposal', text: facts.disposal },
  { label: 'Signed', text: facts.signature },
]

/** What an amendment changed, field by field. */
export const changesBetween = (
  before: ApplicationFacts,
  after: ApplicationFacts,
  timeZone: string,
): { label: string; from: string; to: string }[] => {
  const [was, is] = [factLines(before, timeZone), factLines(after, timeZone)]
  const labels = [...new Set([...was, ...is].map(({ label }) => label))]
  const textOf = (lines: typeof was, label: string) => lines.find((line) => line.label === label)?.text ?? ''
  return labels
    .map((label) => ({ label, from: textOf(was, label), to: textOf(is, label) }))
    .filter(({ from, to }) => from !== to)
}

/** A record as a form shows it, to be amended. */
export const draftOfFacts = (facts: ApplicationFacts): ApplicationDraft => ({
  mix: facts.mix,
  areaName: facts.areaName,
  areaSquareFeet: facts.areaSquareFeet,
  startedAt: facts.startedAt,
  endedAt: facts.endedAt,
  products: facts.products.map(({ productId, rate, amount }) => ({ productId, rate, amount })),
  carrierGallons: facts.carrierGallons,
  target: facts.target,
  method: facts.method,
  equipment: facts.equipment,
  weather: facts.weather,
  soil: facts.soil,
  applicatorId: facts.applicator.id,
  supervisorId: facts.supervisor?.id ?? null,
  signPosted: facts.signPosted,
  noticeLeft: facts.noticeLeft,
  neighborsTold: facts.neighborsTold,
  incident: facts.incident,
  disposal: facts.disposal,
  signature: facts.signature,
})

/** The words of a photo of the sign, by which its record finds it. */
export const signCaption = 'Sign posted'
