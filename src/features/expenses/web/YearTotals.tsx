import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { monthNames } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Money } from '../../../ui/Money.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TableSkeleton } from '../../../ui/Skeleton.tsx'
import { yearQuery } from './data.ts'

const sum = (cents: readonly number[]): number => cents.reduce((all, one) => all + one, 0)
const monthId = (year: number, at: number): string => `${year}-${String(at + 1).padStart(2, '0')}`

/** A year by category and month; every sum opens its list. */
export const YearTotals = ({ today }: { today: string }) => {
  const thisYear = Number(today.slice(0, 4))
  const [year, setYear] = useState(thisYear)
  const totals = useQuery(yearQuery(year))
  const data = totals.data
  const rows = data?.categories.filter(({ cents }) => sum(cents) > 0) ?? []
  return (
    <>
      <div className="exp-filters">
        <SelectField
          label="Year"
          hideLabel
          value={String(year)}
          options={Array.from({ length: 5 }, (_, back) => String(thisYear - back)).map((value) => ({
            value,
            label: value,
          }))}
          onChange={(value) => setYear(Number(value))}
        />
      </div>
      {totals.error && !data ? (
        <ErrorState error={totals.error} onRetry={() => void totals.refetch()} retrying={totals.isFetching} />
      ) : (
        <Card flush>
          {!data ? (
            <TableSkeleton rows={8} columns={6} />
          ) : rows.length === 0 ? (
            <EmptyState title={`Nothing was spent in ${data.year}`}>
              What you add stands here by category and month.
            </EmptyState>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            <section className="exp-year" tabIndex={0} aria-label={`Expenses of ${data.year}`}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Category</th>
                    {monthNames.map((name) => (
                      <th key={name} scope="col">
                        {name.slice(0, 3)}
                      </th>
                    ))}
                    <th scope="col">{data.year}</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(({ id, name, cents }) => (
                    <tr key={id}>
                      <th scope="row">{name}</th>
                      {cents.map((one, at) => (
                        <td key={monthNames[at]}>
                          {one === 0 ? (
                            <span className="hint">–</span>
                          ) : (
                            <LinkTo href={linkTo.expenses({ in: monthId(data.year, at), category: id })}>
                              <Money cents={one} whole />
                            </LinkTo>
                          )}
                        </td>
                      ))}
                      <td>
                        <LinkTo href={linkTo.expenses({ in: String(data.year), category: id })}>
                          <Money cents={sum(cents)} whole />
                        </LinkTo>
                      </td>
                    </tr>
                  ))}
                </tbody>
                <tfoot>
                  <tr>
                    <th scope="row">Together</th>
                    {data.totalCents.map((one, at) => (
                      <td key={monthNames[at]}>
                        {one === 0 ? (
                          <span className="hint">–</span>
                        ) : (
                          <LinkTo href={linkTo.expenses({ in: monthId(data.year, at) })}>
                            <Money cents={one} whole />
                          </LinkTo>
                        )}
                      </td>
                    ))}
                    <td>
                      <Money cents={sum(data.totalCents)} whole />
                    </td>
                  </tr>
                </tfoot>
              </table>
            </section>
          )}
        </Card>
      )}
    </>
  )
}
