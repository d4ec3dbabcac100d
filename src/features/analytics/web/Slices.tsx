import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Card } from '../../../ui/Card.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import type { Overview, Slice } from '../contract.ts'
import { changePercent, changeText, type Kind } from '../rules.ts'

type Sliced = Exclude<Kind, 'all'>
const heads: Record<Sliced, { title: string; first: string }> = {
  crew: { title: 'By crew', first: 'Crew' },
  service: { title: 'By service', first: 'Service' },
  city: { title: 'By city', first: 'City' },
  source: { title: 'By source', first: 'Source' },
}
const title = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

const Rows = ({ kind, rows, list }: { kind: Sliced; rows: readonly Slice[]; list: (slice: Slice) => string }) => (
  <Card title={heads[kind].title} as="section">
    {rows.length === 0 ? (
      <p className="hint">No work was completed in these days.</p>
    ) : (
      <div className="an-scroll">
        <table className="an-table">
          <thead>
            <tr>
              <th scope="col">{heads[kind].first}</th>
              <th scope="col">Visits</th>
              <th scope="col">Completed work</th>
              <th scope="col">Change</th>
              <th scope="col" className="is-wide">
                Paid
              </th>
              <th scope="col" className="is-wide">
                Per labor hour
              </th>
            </tr>
          </thead>
          <tbody className="num">
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">
                  <LinkTo href={list(row)}>{title(row.name)}</LinkTo>
                </th>
                <td>{row.completions.toLocaleString('en-US')}</td>
                <td>{formatCents(row.worthCents)}</td>
                <td>{changeText(changePercent(row.worthCents, row.beforeCents))}</td>
                <td className="is-wide">{formatCents(row.capturedCents)}</td>
                <td className="is-wide">{row.perLaborHourCents === null ? '–' : formatCents(row.perLaborHourCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Card>
)

const Best = ({ rows }: { rows: Overview['bestCustomers'] }) => (
  <Card title="Best customers" as="section">
    {rows.length === 0 ? (
      <p className="hint">No work was completed in these days.</p>
    ) : (
      <div className="an-scroll">
        <table className="an-table">
          <thead>
            <tr>
              <th scope="col">Customer</th>
              <th scope="col">Visits</th>
              <th scope="col">Completed work</th>
              <th scope="col">Paid</th>
            </tr>
          </thead>
          <tbody className="num">
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  <LinkTo href={linkTo.customer(row.id)}>{row.name}</LinkTo>
                </th>
                <td>{row.completions.toLocaleString('en-US')}</td>
                <td>{formatCents(row.worthCents)}</td>
                <td>{formatCents(row.capturedCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Card>
)

/** The same money told apart; a name leads to its visits. */
export const Slices = ({ found, list }: { found: Overview; list: (kind: Sliced, slice: Slice) => string }) => (
  <div className="an-columns">
    {(['crew', 'service', 'city', 'source'] as const).map((kind) => (
      <Rows key={kind} kind={kind} rows={found.slices[kind]} list={(slice) => list(kind, slice)} />
    ))}
    <Best rows={found.bestCustomers} />
  </div>
)
