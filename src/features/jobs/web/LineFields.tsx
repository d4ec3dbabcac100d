import { formatDay } from '#src/shared/dates.ts'
import { formatCents } from '#src/shared/money.ts'
import { Button } from '#src/ui/Button.tsx'
import { FieldGrid } from '#src/ui/FieldGrid.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { IconTrash } from '#src/ui/icons.ts'
import { MoneyField } from '#src/ui/MoneyField.tsx'
import { NumberField } from '#src/ui/NumberField.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { SwitchField } from '#src/ui/SwitchField.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import type { ServiceRecord } from '../../services/contract.ts'
import { unitLabel } from '../../services/rules.ts'
import type { Calendar } from '../rules.ts'
import { scheduleText } from '../wording/rules.ts'
import { GapNote } from './GapNote.tsx'
import type { LineForm, LineNumbers } from './lines.ts'
import { ScheduleEditor } from './ScheduleEditor.tsx'
import type { Schedule } from './schedule.ts'

type Props = {
  line: LineForm
  numbers: LineNumbers
  services: readonly ServiceRecord[]
  schedule: Schedule
  calendar: Calendar
  /** False hides the price: the rule sets it. */
  canPrice: boolean
  onChange: (line: LineForm) => void
  onRemove?: (() => void) | undefined
  error?: string | undefined
}

const byPiece = new Set(['hour', 'yard', 'each', 'ksqft'])

/** One service of a job: its price and time by the rule until somebody types others. */
export const LineFields = ({
  line,
  numbers,
  services,
  schedule,
  calendar,
  canPrice,
  onChange,
  onRemove,
  error,
}: Props) => {
  const service = services.find((s) => s.id === line.serviceId)
  const set = (changes: Partial<LineForm>) => onChange({ ...line, ...changes })
  const { rule } = numbers
  const ownPrice = line.priceCents !== null && line.priceCents !== rule.cents
  return (
    <fieldset className="job-line">
      <legend className="ui-hidden">{service?.name ?? 'Service'}</legend>
      <div className="job-line__head">
        <SelectField
          label="Service"
          value={line.serviceId}
          placeholder="Choose a service"
          onChange={(serviceId) =>
            set({ serviceId, priceCents: null, unreadPrice: false, minutes: null, quantity: 1, unreadQuantity: false })
          }
          options={services.map((s) => ({ value: s.id, label: s.name }))}
        />
        {onRemove ? (
          <IconButton label={`Remove ${service?.name ?? 'this service'}`} icon={<IconTrash />} onClick={onRemove} />
        ) : null}
      </div>
      <FieldGrid min={150}>
        {service && byPiece.has(service.unit) ? (
          <NumberField
            label={
              service.unit === 'ksqft'
                ? 'Thousands of sq ft'
                : service.unit === 'each'
                  ? 'Pieces'
                  : `${service.unit === 'hour' ? 'Labor hours' : 'Yards'}`
            }
            value={line.quantity}
            min={0.5}
            step={0.5}
            refuse={(quantity) => (quantity > 0 ? null : 'Type more than 0. To leave the service out, remove it.')}
            onChange={(quantity, unreadQuantity) => set({ quantity: quantity ?? 1, unreadQuantity })}
          />
        ) : null}
        {canPrice ? (
          <MoneyField
            label={service && byPiece.has(service.unit) ? `Price ${unitLabel[service.unit]}` : 'Price of a visit'}
            name={`line-${line.key}-price`}
            value={line.priceCents ?? rule.cents}
            refuse={(cents) => (cents < 0 ? 'A price takes no less than $0.' : null)}
            onChange={(priceCents, unreadPrice) =>
              set({ priceCents, unreadPrice, ...(line.nextPrice ? { dropsNextPrice: true } : {}) })
            }
            error={error}
            hint={
              rule.cents === null
                ? rule.reason.startsWith('needs')
                  ? `The rule ${rule.reason}`
                  : `First ${rule.reason}`
                : ownPrice
                  ? `The rule says ${formatCents(rule.cents)}`
                  : line.id !== undefined && line.priceCents === null
                    ? `Left empty, the price rule holds: ${formatCents(rule.cents)} from now on`
                    : 'By the price rule'
            }
          />
        ) : null}
        <NumberField
          label="Time, one person"
          unit="min"
          step={5}
          min={0}
          refuse={(minutes) => (minutes < 0 ? 'Work takes no less than 0 minutes.' : null)}
          value={line.minutes ?? numbers.ruleMinutes}
          onChange={(minutes) => set({ minutes: minutes === null ? null : Math.round(minutes) })}
          hint={
            line.minutes !== null && line.minutes !== numbers.ruleMinutes
              ? `The rule says ${numbers.ruleMinutes} min`
              : 'By the time rule'
          }
        />
      </FieldGrid>
      {line.nextPrice && canPrice ? (
        <div className="job-line__next">
          <span className="hint num">
            {line.dropsNextPrice ? 'No other price from ' : `${formatCents(line.nextPrice.cents)} from `}
            {formatDay(line.nextPrice.on)}
          </span>
          <Button
            size="s"
            kind="quiet"
            onClick={() =>
              set(
                line.dropsNextPrice
                  ? { dropsNextPrice: false, priceCents: line.nextPrice?.before ?? null, unreadPrice: false }
                  : { dropsNextPrice: true },
              )
            }
          >
            {line.dropsNextPrice ? 'Keep the new price' : 'Leave the price as it is'}
          </Button>
        </div>
      ) : null}
      {ownPrice && canPrice && rule.cents !== null ? (
        <div>
          <Button
            size="s"
            kind="quiet"
            onClick={() =>
              set({ priceCents: null, minutes: null, ...(line.nextPrice ? { dropsNextPrice: true } : {}) })
            }
          >
            Use the rule’s price
          </Button>
        </div>
      ) : null}
      <GapNote service={service} recurrence={(line.schedule ?? schedule).recurrence} />
      <details className="job-line__more">
        <summary>
          {line.schedule?.undated?.kind === 'step'
            ? scheduleText(line.schedule)
            : line.schedule
              ? 'Own schedule'
              : 'Note and own schedule'}
        </summary>
        <div className="job-line__extra">
          <TextField
            label="Note on the invoice"
            optional
            maxLength={500}
            value={line.description}
            onChange={(description) => set({ description })}
          />
          {line.schedule?.undated?.kind === 'step' ? null : (
            <SwitchField
              label="This service has its own schedule"
              value={line.schedule !== null}
              onChange={(own) => set({ schedule: own ? schedule : null })}
            />
          )}
          {line.schedule ? (
            <ScheduleEditor
              withUndated
              value={line.schedule}
              onChange={(own) => set({ schedule: own })}
              calendar={calendar}
              hideStart
            />
          ) : null}
        </div>
      </details>
    </fieldset>
  )
}
