import { useState } from 'react'
import { formatDuration } from '#src/shared/dates.ts'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { Money } from '#src/ui/Money.tsx'
import { NumberField } from '#src/ui/NumberField.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { squareFeetPerAcre } from '../../../shared/numbers.ts'
import { type MeasuredBy, measureUnit, measureUnitLong, sizeLabel } from '../measures/rules.ts'
import {
  type Frequency,
  frequencies,
  minutesFor,
  type PriceRule,
  priceFor,
  priceNeedsSize,
  type ServiceUnit,
  type TimeRule,
  unitLabel,
} from '../rules.ts'
import { matrixSizeText } from './PriceMatrix.tsx'

const frequencyLabel: Record<Frequency, string> = {
  weekly: 'Every week',
  biweekly: 'Every 2 weeks',
  monthly: 'Every month',
  once: 'Once',
}

const samples: Record<MeasuredBy, readonly number[]> = {
  lawn: [5000, 10_000, 20_000, squareFeetPerAcre],
  beds: [250, 500, 1000, 2000],
  edges: [100, 200, 400, 1000],
}
const begins: Record<MeasuredBy, number> = { lawn: 8000, beds: 600, edges: 240 }
const stepOf: Record<MeasuredBy, number> = { lawn: 500, beds: 50, edges: 10 }

type Props = { priceRule: PriceRule; timeRule: TimeRule; unit: ServiceUnit; measuredBy: MeasuredBy }

/** Type a size, see the price and the minutes: the very rule that jobs and quotes use. */
export const PriceTest = ({ priceRule, timeRule, unit, measuredBy }: Props) => {
  // another measure begins with a size of its own
  const [typed, setTyped] = useState<{ of: MeasuredBy; size: number | null } | null>(null)
  const size = typed?.of === measuredBy ? typed.size : begins[measuredBy]
  const [difficulty, setDifficulty] = useState('1')
  const [frequency, setFrequency] = useState<Frequency>('weekly')
  const [firstCut, setFirstCut] = useState(false)
  const facts = { measuredBy, size, difficulty: Number(difficulty), frequency, firstCut }
  const price = priceFor(priceRule, facts)
  const time = minutesFor(timeRule, facts)
  const bySize = priceNeedsSize(priceRule)
  return (
    <section className="svc-test" aria-label="Try the price">
      <h3>Try it</h3>
      <div className="svc-test__fields">
        <NumberField
          label={sizeLabel[measuredBy]}
          unit={measureUnitLong[measuredBy]}
          step={stepOf[measuredBy]}
          min={0}
          refuse={(asked) => (asked > 0 ? null : `More than 0 ${measureUnit[measuredBy]} are needed for a price.`)}
          value={size}
          onChange={(next) => setTyped({ of: measuredBy, size: next })}
        />
        <SelectField
          label="How often"
          value={frequency}
          onChange={setFrequency}
          options={frequencies.map((value) => ({ value, label: frequencyLabel[value] }))}
        />
        <SelectField
          label="Difficulty"
          value={difficulty}
          onChange={setDifficulty}
          options={['1', '2', '3', '4', '5'].map((value) => ({
            value,
            label: value === '1' ? '1 · easy' : value === '5' ? '5 · hard' : value,
          }))}
        />
        {priceRule.firstCutPercent === 100 ? null : (
          <CheckboxField label="Overgrown first cut" value={firstCut} onChange={setFirstCut} />
        )}
      </div>
      <output className="svc-test__answer" aria-live="polite">
        <b className="num">{price.cents === null ? 'No price' : <Money cents={price.cents} />}</b>
        <span className="muted">
          {price.reason ?? time.reason ?? (
            <>
              {unitLabel[unit]} · {formatDuration(time.minutes === null ? 0 : time.minutes * 60)} of one person’s work
            </>
          )}
        </span>
      </output>
      {bySize ? (
        <dl className="svc-test__samples">
          {samples[measuredBy].map((one) => {
            const sample = priceFor(priceRule, { ...facts, size: one })
            return (
              <div key={one}>
                <dt className="hint num">{matrixSizeText(measuredBy, one)}</dt>
                <dd className="num">{sample.cents === null ? '–' : <Money cents={sample.cents} />}</dd>
              </div>
            )
          })}
        </dl>
      ) : null}
    </section>
  )
}
