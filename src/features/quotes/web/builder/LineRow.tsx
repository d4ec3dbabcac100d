import { formatCents } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconArrowDown, IconArrowUp, IconTrash } from '../../../../ui/icons.ts'
import { MoneyField } from '../../../../ui/MoneyField.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { MeasureButton } from '../../../customers/areas/web/MeasureButton.tsx'
import type { ServiceRecord } from '../../../services/contract.ts'
import {
  askedOf,
  measureFirst,
  measureOf,
  measureText,
  measureUnit,
  sizeLabel,
} from '../../../services/measures/rules.ts'
import { type Frequency, frequencies, priceNeedsSize, priceRuleText } from '../../../services/rules.ts'
import type { QuoteContent } from '../../contract.ts'
import { frequencyLabel, fullCentsOf, inputsAt, measureOfInputs, type QuoteLine } from '../../rules.ts'
import { lineHint } from '../words.ts'
import { type Place, reprice } from './edit.ts'

const rhythms: Record<Frequency, string> = {
  weekly: 'Every week',
  biweekly: 'Every two weeks',
  monthly: 'Every month',
  once: 'Once',
}

type Props = {
  /** Where it is for, and whose that is; a template has none. */
  place?: Place | undefined
  measure?: { customerId: string; propertyId: string } | undefined
  line: QuoteLine
  service: ServiceRecord | undefined
  packages: QuoteContent['packages']
  season: number
  isOpen: boolean
  onOpen: (open: boolean) => void
  onChange: (line: QuoteLine) => void
  onRemove: () => void
  onMove: (step: -1 | 1) => void
}

/** What the price book says, with what it says it from, and the way back to it. */
type RuleProps = Pick<Props, 'line' | 'service' | 'season' | 'place' | 'measure' | 'onChange'>

const Rule = ({ line, service, season, place, measure, onChange }: RuleProps) => {
  if (!service?.priceRule || line.round) return null
  const { ruleCents } = line
  const { measuredBy } = service
  const used = line.inputs ? measureOfInputs(service, line.inputs).size : null
  const needsSize = priceNeedsSize(service.priceRule) && used === null
  const now = place ? measureOf(service, place).size : null
  // the property was measured, or measured anew, since the line was made
  const isOther = place && priceNeedsSize(service.priceRule) && now !== null && now !== used
  return (
    <p className="qb-rule">
      <span>
        {needsSize && !isOther
          ? `${measureFirst[measuredBy]}, or type the size: then the price book says the price.`
          : ruleCents === null
            ? isOther
              ? 'It is measured now.'
              : 'The price book says nothing for this.'
            : `By the price book ${formatCents(ruleCents)}: ${priceRuleText(service.priceRule, service)}.`}
      </span>
      {isOther ? (
        <Button
          size="s"
          kind="quiet"
          onClick={() =>
            onChange(reprice(line, { inputs: inputsAt(service, place, line.inputs?.firstCut) }, service, season))
          }
        >
          Use {measureText({ measuredBy, size: now })}, as measured
        </Button>
      ) : needsSize && measure ? (
        <MeasureButton {...measure} measuredBy={measuredBy} />
      ) : null}
      {ruleCents !== null && line.unitPriceCents !== ruleCents ? (
        <Button size="s" kind="quiet" onClick={() => onChange({ ...line, unitPriceCents: ruleCents })}>
          Use {formatCents(ruleCents)}
        </Button>
      ) : null}
    </p>
  )
}

const Fields = (props: Omit<Props, 'isOpen' | 'onOpen'>) => {
  const { line, service, packages, season, onChange, onRemove, onMove } = props
  const change = (part: Partial<QuoteLine>) => onChange({ ...line, ...part })
  const depends = (part: Partial<QuoteLine>) => onChange(reprice(line, part, service, season))
  const measuredBy = service?.measuredBy ?? line.inputs?.measuredBy ?? 'lawn'
  const inputs = line.inputs ?? { squareFeet: null, difficulty: 1, firstCut: false }
  const size = measureOfInputs({ measuredBy }, inputs).size
  return (
    <div className="qb-fields">
      <div className="qb-grid">
        <TextField
          className="is-wide"
          label="Name"
          value={line.name}
          onChange={(name) => change({ name })}
          maxLength={160}
        />
        {line.round ? null : (
          <SelectField
            label="How often"
            value={line.frequency}
            onChange={(frequency) => depends({ frequency })}
            options={frequencies.map((value) => ({ value, label: rhythms[value] }))}
          />
        )}
        <NumberField
          label="Quantity"
          value={line.quantity}
          onChange={(n) => depends({ quantity: n ?? 1 })}
          min={0.001}
        />
        {line.frequency === 'once' ? null : (
          <NumberField
            label="Visits"
            value={line.visits}
            onChange={(n) => change({ visits: n ?? 1 })}
            min={1}
            max={400}
          />
        )}
        <MoneyField
          label={line.frequency === 'once' ? 'Price' : 'Price a visit'}
          value={line.unitPriceCents}
          onChange={(unitPriceCents) => change({ unitPriceCents })}
        />
      </div>
      <Rule {...props} />
      <div className="qb-grid">
        <NumberField
          label={sizeLabel[measuredBy]}
          unit={measureUnit[measuredBy]}
          optional
          value={size}
          onChange={(next) => {
            const { squareFeet, feet } = askedOf({ measuredBy, size: next })
            const { difficulty, firstCut } = inputs
            const of = measuredBy === 'lawn' ? {} : { measuredBy, feet }
            depends({ inputs: { squareFeet, ...of, difficulty, firstCut } })
          }}
          min={0}
        />
        <SelectField
          label="Difficulty"
          value={String(inputs.difficulty)}
          onChange={(text) => depends({ inputs: { ...inputs, difficulty: Number(text) } })}
          options={['1', '2', '3', '4', '5'].map((value) => ({
            value,
            label: value === '1' ? '1, easy' : value === '5' ? '5, hard' : value,
          }))}
        />
        <NumberField
          label="Labor"
          unit="min"
          value={line.minutes}
          onChange={(minutes) => change({ minutes: Math.round(minutes ?? 0) })}
          min={0}
        />
        <MoneyField
          label="Material"
          optional
          value={line.costCents || null}
          onChange={(costCents) => change({ costCents: costCents ?? 0 })}
        />
      </div>
      <div className="qb-checks">
        <CheckboxField
          label="Overgrown first cut"
          value={inputs.firstCut}
          onChange={(firstCut) => depends({ inputs: { ...inputs, firstCut } })}
        />
        <CheckboxField label="Optional" value={line.optional} onChange={(optional) => change({ optional })} />
        {line.optional ? (
          <CheckboxField
            label="Ticked beforehand"
            value={line.preselected}
            onChange={(preselected) => change({ preselected })}
          />
        ) : null}
      </div>
      {packages.length > 0 ? (
        <fieldset className="qb-in">
          <legend>In which packages</legend>
          <div className="qb-checks">
            {packages.map(({ id, name }) => {
              const all = line.packageIds.length === 0
              return (
                <CheckboxField
                  key={id}
                  label={name || 'No name yet'}
                  value={all || line.packageIds.includes(id)}
                  onChange={(on) => {
                    const now = all ? packages.map((one) => one.id) : line.packageIds
                    const next = on ? [...now, id] : now.filter((one) => one !== id)
                    change({ packageIds: next.length === packages.length ? [] : next.length === 0 ? [id] : next })
                  }}
                />
              )
            })}
          </div>
        </fieldset>
      ) : null}
      <TextAreaField
        label="What the customer reads of it"
        optional
        rows={2}
        value={line.description}
        onChange={(description) => change({ description })}
        maxLength={500}
      />
      <div className="qb-row-actions">
        <IconButton label={`Move ${line.name} up`} icon={<IconArrowUp />} onClick={() => onMove(-1)} />
        <IconButton label={`Move ${line.name} down`} icon={<IconArrowDown />} onClick={() => onMove(1)} />
        <Button size="s" kind="quiet" icon={<IconTrash />} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </div>
  )
}

/** A line of the builder: one row that says it all, with its fields below when it is opened. */
export const LineRow = ({ isOpen, onOpen, ...props }: Props) => {
  const { line, packages } = props
  const cents = fullCentsOf(line)
  const inside = packages.filter(({ id }) => line.packageIds.includes(id)).map(({ name }) => name)
  return (
    <li className={`qb-line${isOpen ? ' is-open' : ''}`}>
      <button type="button" className="qb-line__head" aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
        <span>
          <b>{line.name}</b>
          <span className="hint">
            {[
              lineHint(line) || frequencyLabel[line.frequency],
              line.optional ? 'optional' : null,
              inside.length > 0 ? `only in ${inside.join(' and ')}` : null,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
        <span className={cents === null ? 'qb-none' : 'num'}>{cents === null ? 'No price' : formatCents(cents)}</span>
      </button>
      {isOpen ? <Fields {...props} /> : null}
    </li>
  )
}
