import { dayOf, formatTime } from '../../../shared/dates.ts'
import type { ApplicationFacts, ApplicationRecord } from '../records/contract.ts'
import { licenseLabel } from '../records/rules.ts'
import { dilutionOf, fieldLabel, signalLabel } from '../rules.ts'

/** The log of applications as a table: every field of a record, a row for each product, as it stands after the last amendment. */

type Value = string | number | null | undefined
type Product = ApplicationFacts['products'][number]
export type ApplicationColumn = {
  id: string
  label: string
  type: 'text' | 'day' | 'number'
  /** Not among those that an inspector looks at first. */
  extra?: boolean
  of: (record: ApplicationRecord, product: Product, timeZone: string) => Value
}

/** An instant as a table keeps it, so that days sort. */
const instant = (at: string | null, timeZone: string): string =>
  at ? `${dayOf(at, timeZone)} ${formatTime(at, timeZone)}` : ''
const yes = (is: boolean): string => (is ? 'yes' : 'no')

const shown = (
  id: string,
  label: string,
  of: ApplicationColumn['of'],
  type: ApplicationColumn['type'] = 'text',
): ApplicationColumn => ({ id, label, type, of })
const extra = (...column: Parameters<typeof shown>): ApplicationColumn => ({ ...shown(...column), extra: true })

export const applicationColumns: readonly ApplicationColumn[] = [
  extra('record', 'Record', ({ id }) => id),
  shown('day', 'Day', ({ day }) => day, 'day'),
  shown('began', 'Began', ({ facts }, _, timeZone) => formatTime(facts.startedAt, timeZone)),
  extra('ended', 'Ended', ({ facts }, _, timeZone) => formatTime(facts.endedAt, timeZone)),
  shown('customer', 'Customer', ({ facts }) => facts.customer),
  extra('billing', 'Billing address', ({ facts }) => facts.billing),
  shown('site', 'Site', ({ facts }) => facts.site),
  extra('zip', 'ZIP', ({ facts }) => facts.zip),
  extra('state', 'State', ({ facts }) => facts.state),
  extra('area', 'Area', ({ facts }) => facts.areaName),
  shown('squareFeet', 'Square feet', ({ facts }) => facts.areaSquareFeet, 'number'),
  extra('mix', 'Mix', ({ facts }) => facts.mix),
  shown('product', 'Product', (_, product) => product.name),
  shown('epa', 'EPA reg. no.', (_, product) => product.epaNumber),
  extra('formulation', 'Formulation', (_, product) => product.formulation),
  extra('signal', 'Signal word', (_, product) => signalLabel[product.signalWord]),
  extra('restricted', 'Restricted use', (_, product) => yes(product.restricted)),
  shown('rate', 'Rate per 1,000 sq ft', (_, product) => product.rate, 'number'),
  shown('amount', 'Total amount', (_, product) => product.amount, 'number'),
  shown('unit', 'Unit', (_, product) => product.unit),
  extra('water', 'Water (gal)', ({ facts }) => facts.carrierGallons, 'number'),
  extra('dilution', 'Per gallon', ({ facts }, product) => dilutionOf(product.amount, facts.carrierGallons), 'number'),
  shown('target', 'Target', ({ facts }) => facts.target),
  extra('method', 'Method', ({ facts }) => facts.method),
  extra('equipment', 'Equipment', ({ facts }) => facts.equipment),
  shown('wind', 'Wind (mph)', ({ facts }) => facts.weather.windMph, 'number'),
  extra('windFrom', 'Wind from', ({ facts }) => facts.weather.windFrom),
  extra('temperature', 'Temperature (F)', ({ facts }) => facts.weather.temperatureF, 'number'),
  extra('sky', 'Sky', ({ facts }) => facts.weather.sky),
  extra('soil', 'Soil', ({ facts }) => facts.soil),
  extra('source', 'Weather is from', ({ facts }) => facts.weather.source),
  shown('applicator', 'Applied by', ({ facts }) => facts.applicator.name),
  shown('license', 'License no.', ({ facts }) => facts.applicator.license),
  extra('supervisor', 'Supervisor', ({ facts }) => facts.supervisor?.name),
  extra('supervisorLicense', "Supervisor's license no.", ({ facts }) => facts.supervisor?.license),
  extra('licensed', 'License', ({ facts }) => licenseLabel[facts.license]),
  extra('keepOff', 'Keep off until', ({ facts }, _, timeZone) => instant(facts.keepOffUntil, timeZone)),
  extra('sign', 'Sign posted', ({ facts }) => yes(facts.signPosted)),
  extra('notice', 'Notice left', ({ facts }) => facts.noticeLeft),
  extra('neighbors', 'Neighbors told', ({ facts }) => facts.neighborsTold),
  extra('incident', 'Incident', ({ facts }) => facts.incident),
  extra('disposal', 'Disposal', ({ facts }) => facts.disposal),
  extra('signature', 'Signed', ({ facts }) => facts.signature),
  extra('entered', 'Entered', ({ enteredAt }, _, timeZone) => instant(enteredAt, timeZone)),
  extra('late', 'Entered late', ({ late }) => yes(late)),
  extra('amendments', 'Amendments', ({ amendments }, _, timeZone) =>
    amendments.map(({ at, reason }) => `${dayOf(at, timeZone)}: ${reason}`).join('; '),
  ),
  extra('missing', 'Missing', ({ missing }) => missing.map((field) => fieldLabel[field]).join(', ')),
]
