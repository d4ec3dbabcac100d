import { useState } from 'react'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { MoneyField } from '../../../../ui/MoneyField.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import type { ServiceRecord } from '../../../services/contract.ts'
import { nextPriceText, priceRuleText, type RaiseRounding, raisedRule } from '../../../services/rules.ts'
import { PriceQuestion } from './PriceQuestion.tsx'

const roundings: { value: RaiseRounding; label: string }[] = [
  { value: 'dollar', label: 'To the next whole dollar' },
  { value: 'five', label: 'Ends in 5 or 0' },
  { value: 'cent', label: 'As the rule rounds now' },
]

type Props = {
  services: readonly ServiceRecord[]
  onClose: () => void
  /** Leads to the changes of prices so far, where one that is in the way is undone. */
  onShowChanges: () => void
}

const Fields = ({ services, onClose, onShowChanges }: Props) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(services.filter((one) => one.jobCount > 0 && !one.nextPrice).map((one) => one.id)),
  )
  const ahead = services.filter((one) => one.nextPrice)
  const [by, setBy] = useState<'percent' | 'cents'>('percent')
  const [percent, setPercent] = useState<number | null>(4)
  const [cents, setCents] = useState<number | null>(null)
  const [rounding, setRounding] = useState<RaiseRounding>('dollar')
  const [own, setOwn] = useState(false)
  const raise = by === 'percent' ? { percent, cents: null, rounding } : { percent: null, cents, rounding }
  const amount = by === 'percent' ? percent : cents
  const typed = chosen.size > 0 && amount !== null && amount > 0 && (by === 'cents' || amount <= 100)
  return (
    <PriceQuestion
      onClose={onClose}
      what={typed ? { raise: { serviceIds: [...chosen], by: raise }, ownPrices: own ? 'raise' : 'keep' } : null}
    >
      {ahead.length > 0 ? (
        <Banner
          tone="info"
          action={
            <Button size="s" onClick={onShowChanges}>
              Show price changes
            </Button>
          }
          title={`${ahead.length === 1 ? `${ahead[0]?.name ?? 'A service'} already gets` : `${ahead.length} services already get`} a new price.`}
        >
          Tick it to raise it as well: what it gets from that day on stays, and this raise holds until then, or comes on
          top of it when it begins later. To raise it by another amount instead, undo that change first.
        </Banner>
      ) : null}
      <RadioField
        label="Raise"
        row
        value={by}
        onChange={setBy}
        options={[
          { value: 'percent', label: 'By percent' },
          { value: 'cents', label: 'By dollars' },
        ]}
      />
      <FieldGrid min={180}>
        {by === 'percent' ? (
          <NumberField
            label="How much"
            unit="%"
            min={0.1}
            max={100}
            step={0.1}
            value={percent}
            onChange={setPercent}
            error={percent === null ? 'Give a percentage.' : undefined}
          />
        ) : (
          <MoneyField
            label="How much"
            value={cents}
            onChange={setCents}
            hint="On the smallest price, and so on every price."
            error={cents !== null && cents < 1 ? 'At least one cent.' : undefined}
          />
        )}
        <SelectField label="New prices" value={rounding} onChange={setRounding} options={roundings} />
      </FieldGrid>
      <fieldset className="prc-services">
        <legend>Services</legend>
        {services.map((service) => (
          <CheckboxField
            key={service.id}
            label={service.name}
            hint={
              service.nextPrice && !chosen.has(service.id)
                ? nextPriceText(service.nextPrice, service)
                : chosen.has(service.id) && typed && service.priceRule
                  ? `${priceRuleText(service.priceRule, service)} → ${priceRuleText(raisedRule(service.priceRule, raise), service)}${service.nextPrice ? `; ${nextPriceText(service.nextPrice, service)}` : ''}`
                  : service.jobCount === 0
                    ? 'In no open job'
                    : `In ${service.jobCount} open ${service.jobCount === 1 ? 'job' : 'jobs'}`
            }
            value={chosen.has(service.id)}
            onChange={(on) =>
              setChosen((old) => {
                const next = new Set(old)
                if (on) next.add(service.id)
                else next.delete(service.id)
                return next
              })
            }
          />
        ))}
      </fieldset>
      <CheckboxField
        label="Also jobs with a price of their own"
        hint="They go up by the same amount, rounded the same way. Otherwise they stay as they are and are listed."
        value={own}
        onChange={setOwn}
      />
    </PriceQuestion>
  )
}

/** The yearly raise: chosen services by a percentage or an amount, with what it does to every customer before it is done. */
export const RaisePrices = ({ open, ...props }: Props & { open: boolean }) => (
  <Dialog open={open} onClose={props.onClose} title="Raise prices" closeOnOutside={false}>
    <Fields {...props} />
  </Dialog>
)
