import type { RawBuilder } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { addSums, workLabel } from '../../taxreport/rules.ts'
import { sumTax } from '../../taxreport/server/queries.ts'
import { plainDollars } from '../rules.ts'

type Period = { from: Day; to: Day }
type Read = <Row>(query: RawBuilder<Row>) => Promise<Row[]>

/** What the file of sales tax says: a row a rate, whatever state it was charged in. */
export const taxTable = async (db: TenantDb, period: Period, read: Read): Promise<(string | number | null)[][]> => {
  const { taxes: byState, work, restCents, writtenOffCents } = await sumTax(db, period, read)
  const { taxes } = addSums([{ taxes: byState.map(({ state: _, ...rate }) => rate), work: [] }])
  const rates = taxes
    .filter(({ baseCents, taxCents }) => baseCents !== 0 || taxCents !== 0)
    .sort((a, b) => (a.name === b.name ? a.ratePercent - b.ratePercent : a.name < b.name ? -1 : 1))
  const untaxed = work
    .filter(({ treatment: how, netCents }) => how !== 'taxed' && how !== null && netCents !== 0)
    .sort((a, b) => (workLabel(a) < workLabel(b) ? -1 : 1))
  const earlier = work.find(({ treatment: how, netCents }) => how === null && netCents !== 0)
  const taxCents = rates.reduce((sum, rate) => sum + rate.taxCents, 0) - restCents
  const untaxedCents = untaxed.reduce((sum, one) => sum + one.netCents, 0)
  return [
    ['Tax', 'Rate in percent', 'Taxable', 'Not taxed', 'Tax'],
    ...rates.map((rate) => [
      rate.name,
      rate.ratePercent,
      plainDollars(rate.baseCents),
      null,
      plainDollars(rate.taxCents),
    ]),
    ...untaxed.map((one) => [workLabel(one), null, null, plainDollars(one.netCents), null]),
    ...(earlier ? [[`${workLabel(earlier)}: taxed and not taxed are not divided`, null, null, null, null]] : []),
    ...(restCents === 0 ? [] : [['Credited, of no rate', null, null, null, plainDollars(-restCents)]]),
    ['Together', null, null, plainDollars(untaxedCents), plainDollars(taxCents)],
    ...(writtenOffCents === 0
      ? []
      : [['In what was written off, not taken off above', null, null, null, plainDollars(writtenOffCents)]]),
  ]
}
