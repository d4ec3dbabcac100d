import { formatCents } from '#src/shared/money.ts'
import { MoneyField } from '#src/ui/MoneyField.tsx'
import { lawnSizeText } from '../../../shared/numbers.ts'
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

const columns: { frequency: Frequency; label: string }[] = [
  { frequency: 'weekly', label: 'Weekly' },
  { frequency: 'biweekly', label: '2 weeks' },
  { frequency: 'monthly', label: 'Monthly' },
  { frequency: 'once', label: 'Once' },
]

type Props = { priceRule: PriceRule; unit: ServiceUnit; onChange: (rule: PriceRule) => void }

/** The rule as a table by lawn size: a price that is typed makes the rule that comes to it; the formula stands under it. */
export const PriceMatrix = ({ priceRule, unit, onChange }: Props) => {
  const cents = matrixOf(priceRule)
  const refuse = (at: number) => (value: number) => {
    const before = cents[at - 1]
    const after = cents[at + 1]
    if (before !== undefined && value < before) return 'A larger lawn never costs less than the one before.'
    return after !== undefined && value > after ? 'A smaller lawn never costs more than the next one.' : null
  }
  const set = (at: number, value: number | null) => {
    if (value === null) return
    const rule = ruleOfMatrix(
      priceRule,
      cents.map((one, index) => (index === at ? value : one)),
    )
    if (rule) onChange(rule)
  }
  return (
    <details className="svc-matrix">
      <summary>Price matrix by lawn size</summary>
      <div className="svc-matrix__scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Lawn</th>
              <th scope="col">Price</th>
              {columns.map(({ frequency, label }) => (
                <th scope="col" key={frequency}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="num">
            {matrixSizes.map((squareFeet, at) => (
              <tr key={squareFeet}>
                <th scope="row">{lawnSizeText(squareFeet)}</th>
                <td>
                  <MoneyField
                    label={`Price of ${lawnSizeText(squareFeet)}`}
                    hideLabel
                    value={cents[at] ?? null}
                    refuse={refuse(at)}
                    onChange={(value) => set(at, value)}
                  />
                </td>
                {columns.map(({ frequency }) => {
                  const price = priceFor(priceRule, { squareFeet, difficulty: 1, frequency })
                  return <td key={frequency}>{price.cents === null ? '–' : formatCents(price.cents)}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="hint">{priceRuleText(priceRule, unit)}.</p>
    </details>
  )
}
