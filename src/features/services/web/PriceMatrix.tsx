import { formatCents } from '#src/shared/money.ts'
import { MoneyField } from '#src/ui/MoneyField.tsx'
import { lawnSizeText } from '../../../shared/numbers.ts'
import { type MeasuredBy, measureLabel, measureUnit } from '../measures/rules.ts'
import {
  type Frequency,
  matrixOf,
  matrixSizes,
  type PriceRule,
  priceFor,
  priceRuleText,
  ruleOfMatrix,
  type ServiceUnit,
} from '../rules.ts'

const matrixTitle: Record<MeasuredBy, string> = {
  lawn: 'Price matrix by lawn size',
  beds: 'Price matrix by sq ft of beds',
  edges: 'Price matrix by ft of edges',
}

const columns: { frequency: Frequency; label: string }[] = [
  { frequency: 'weekly', label: 'Weekly' },
  { frequency: 'biweekly', label: '2 weeks' },
  { frequency: 'monthly', label: 'Monthly' },
  { frequency: 'once', label: 'Once' },
]

type Props = {
  priceRule: PriceRule
  unit: ServiceUnit
  measuredBy: MeasuredBy
  onChange: (rule: PriceRule) => void
}

/** A size of the matrix as people say it. */
export const matrixSizeText = (measuredBy: MeasuredBy, size: number): string =>
  measuredBy === 'lawn' ? lawnSizeText(size) : `${size.toLocaleString('en-US')} ${measureUnit[measuredBy]}`

/** The rule as a table by size: a price that is typed makes the rule that comes to it; the formula stands under it. */
export const PriceMatrix = ({ priceRule, unit, measuredBy, onChange }: Props) => {
  const cents = matrixOf(priceRule, measuredBy)
  const sizeText = (size: number) => matrixSizeText(measuredBy, size)
  const refuse = (at: number) => (value: number) => {
    const before = cents[at - 1]
    const after = cents[at + 1]
    if (before !== undefined && value < before) return 'A larger size never costs less than the one before.'
    return after !== undefined && value > after ? 'A smaller size never costs more than the next one.' : null
  }
  const set = (at: number, value: number | null) => {
    if (value === null) return
    const rule = ruleOfMatrix(
      priceRule,
      measuredBy,
      cents.map((one, index) => (index === at ? value : one)),
    )
    if (rule) onChange(rule)
  }
  return (
    <details className="svc-matrix">
      <summary>{matrixTitle[measuredBy]}</summary>
      <div className="svc-matrix__scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{measureLabel[measuredBy]}</th>
              <th scope="col">Price</th>
              {columns.map(({ frequency, label }) => (
                <th scope="col" key={frequency}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="num">
            {matrixSizes[measuredBy].map((size, at) => (
              <tr key={size}>
                <th scope="row">{sizeText(size)}</th>
                <td>
                  <MoneyField
                    label={`Price of ${sizeText(size)}`}
                    hideLabel
                    value={cents[at] ?? null}
                    refuse={refuse(at)}
                    onChange={(value) => set(at, value)}
                  />
                </td>
                {columns.map(({ frequency }) => {
                  const price = priceFor(priceRule, { measuredBy, size, difficulty: 1, frequency })
                  return <td key={frequency}>{price.cents === null ? '–' : formatCents(price.cents)}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="hint">{priceRuleText(priceRule, { unit, measuredBy })}.</p>
    </details>
  )
}
