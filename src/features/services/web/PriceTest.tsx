import { useState } from 'react'
import { formatDuration } from '#src/shared/dates.ts'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { Money } from '#src/ui/Money.tsx'
import { NumberField } from '#src/ui/NumberField.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { lawnSizeText, squareFeetPerAcre } from '../../../shared/numbers.ts'
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

const frequencyLabel: Record<Frequency, string> = {
  weekly: 'Every week',
  biweekly: 'Every 2 weeks',
  monthly: 'Every month',
  once: 'Once',
}

const samples = [5000, 10_000, 20_000, squareFeetPerAcre]

type Props = { priceRule: PriceRule; timeRule: TimeRule; unit: ServiceUnit }

/** Type a lawn size, see the price and the minutes: the very rule that jobs and quotes use. */
export const PriceTest = ({ priceRule, timeRule, unit }: Props) => {
  const [squareFeet, setSquareFeet] = useState<number | null>(8000)
  const [difficulty, setDifficulty] = useState('1')
  const [frequency, setFrequency] = useState<Frequency>('weekly')
  const [firstCut, setFirstCut] = useState(false)
  const facts = { squareFeet, difficulty: Number(difficulty), frequency, firstCut }
  const price = priceFor(priceRule, facts)
  const time = minutesFor(timeRule, facts)
  const bySize = priceNeedsSize(priceRule)
  return (
    <section className="svc-test" aria-label="Try the price">
      <h3>Try it</h3>
      <div className="svc-test__fields">
        <NumberField
          label="Lawn size"
          unit="sq ft"
          step={500}
          min={0}
          refuse={(size) => (size > 0 ? null : 'A lawn has more than 0 sq ft.')}
          value={squareFeet}
          onChange={setSquareFeet}
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
          {samples.map((size) => {
            const sample = priceFor(priceRule, { ...facts, squareFeet: size })
            return (
              <div key={size}>
                <dt className="hint num">{lawnSizeText(size)}</dt>
                <dd className="num">{sample.cents === null ? '–' : <Money cents={sample.cents} />}</dd>
              </div>
            )
          })}
        </dl>
      ) : null}
    </section>
  )
}
