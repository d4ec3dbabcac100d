import { useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { squareFeetPerAcre } from '../../../../shared/numbers.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { crossingOf, squareFeetOf } from '../../../customers/areas/rules.ts'
import type { Frequency } from '../../../services/rules.ts'
import { listed, notInPrice } from '../../rules.ts'
import type { leadRequestApi } from '../contract.ts'
import { type LawnWay, lotSquareFeet, sumOf } from '../rules.ts'
import { DrawRing, type Ring } from './DrawRing.tsx'
import { usePrice } from './data.ts'

/** Two acres: a line around a block rather than around a lawn. */
const farMoreThanMost = 2 * squareFeetPerAcre

type Services = ResponseOf<typeof leadRequestApi.offer>['services']
type Place = ResponseOf<typeof leadRequestApi.place>
export type Lawn = { squareFeet: number; way: LawnWay; ring?: Ring; services: { id: string; frequency: Frequency }[] }

const frequencyLabel: Record<Frequency, string> = {
  weekly: 'Every week',
  biweekly: 'Every two weeks',
  monthly: 'Every month',
  once: 'Once',
}

const Range = ({ low, high }: { low: number; high: number }) => (
  <>
    <Money cents={low} />
    {high > low ? (
      <>
        {' to '}
        <Money cents={high} />
      </>
    ) : null}
  </>
)

type Props = { slug: string; services: Services; place: Place; onLawn: (lawn: Lawn | null) => void }

/** How large the lawn is, what is wanted, and what a visit costs about by the business's own rules. */
export const LawnPrice = ({ slug, services, place, onLawn }: Props) => {
  const canDraw = place.latitude !== null && place.longitude !== null
  const [way, setWay] = useState<LawnWay>(place.exact ? 'drawn' : 'typed')
  const [ring, setRing] = useState<Ring>([])
  const [typed, setTyped] = useState<number | null>(null)
  const [acres, setAcres] = useState<number | null>(null)
  const [chosen, setChosen] = useState<{ id: string; frequency: Frequency }[]>(() =>
    services.slice(0, 1).map(({ id, frequencies }) => ({ id, frequency: frequencies[0] ?? 'once' })),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const price = usePrice(slug)
  // a line that crosses itself has no size that means anything
  const crosses = way === 'drawn' && ring.length > 3 && crossingOf(ring) !== null
  const squareFeet =
    way === 'drawn'
      ? ring.length >= 3 && !crosses
        ? squareFeetOf([ring])
        : null
      : way === 'typed'
        ? typed
        : acres === null
          ? null
          : lotSquareFeet(acres)
  const stale = () => {
    price.reset()
    setProblem(null)
    onLawn(null)
  }
  const show = () => {
    if (chosen.length === 0) return setProblem('Choose what you need.')
    if (crosses)
      return setProblem(
        'The line around your lawn crosses itself, so it has no size. Move a corner, or undo, then ask again.',
      )
    if (squareFeet === null || squareFeet < 100)
      return setProblem(
        way === 'drawn' ? 'Tap around your lawn first: at least three corners.' : 'Say how large it is first.',
      )
    setProblem(null)
    price.mutate(
      { squareFeet, way, services: chosen },
      { onSuccess: () => onLawn({ squareFeet, way, services: chosen, ...(way === 'drawn' ? { ring } : {}) }) },
    )
  }
  const sum = price.data ? sumOf(price.data.items) : null
  const ways = [
    ...(canDraw ? [{ value: 'drawn', label: 'I draw it on the map' }] : []),
    { value: 'typed', label: 'I know my lawn in square feet' },
    { value: 'lot', label: 'I know my lot in acres' },
  ]
  return (
    <div className="ask-price__step">
      <RadioField
        label="How large is your lawn?"
        options={ways}
        value={way}
        onChange={(value) => {
          stale()
          setWay(value as LawnWay)
        }}
      />
      {way === 'drawn' && place.latitude !== null && place.longitude !== null ? (
        <>
          <DrawRing
            label="Your lawn"
            ring={ring}
            onRing={(next) => {
              stale()
              setRing(next)
            }}
            home={{ lat: place.latitude, lon: place.longitude, name: place.exact ? 'Your address' : 'Your ZIP code' }}
            closest={place.exact ? 18.5 : 15}
            fromAbove
          />
          {place.exact ? null : (
            <p className="hint">The pin is the middle of your ZIP code. Move the map to your house first.</p>
          )}
          {squareFeet !== null ? (
            <p role="status" className="ask-price__size">
              <b className="num">{squareFeet.toLocaleString('en-US')} sq ft</b>
              {squareFeet > farMoreThanMost
                ? ` That is ${(squareFeet / squareFeetPerAcre).toFixed(1)} acres, far more than most lawns. Is it right?`
                : ''}
            </p>
          ) : null}
        </>
      ) : way === 'typed' ? (
        <NumberField
          label="Lawn"
          unit="sq ft"
          min={100}
          value={typed}
          onChange={(value) => {
            stale()
            setTyped(value)
          }}
        />
      ) : (
        <NumberField
          label="Lot"
          unit="acres"
          hint="Half an acre is 0.5. House, drive and beds are taken off."
          min={0.01}
          step={0.05}
          value={acres}
          onChange={(value) => {
            stale()
            setAcres(value)
          }}
        />
      )}
      <fieldset className="ask-price__services">
        <legend>What do you need?</legend>
        {services.map(({ id, name, frequencies, afterLook }) => {
          const on = chosen.find((one) => one.id === id)
          return (
            <div key={id}>
              <CheckboxField
                label={name}
                hint={afterLook ? 'priced after a look' : undefined}
                value={on !== undefined}
                onChange={(checked) => {
                  stale()
                  setChosen(
                    checked
                      ? [...chosen, { id, frequency: frequencies[0] ?? 'once' }]
                      : chosen.filter((one) => one.id !== id),
                  )
                }}
              />
              {on && frequencies.length > 1 ? (
                <SelectField
                  label={`How often: ${name}`}
                  hideLabel
                  value={on.frequency}
                  options={frequencies.map((value) => ({ value, label: frequencyLabel[value] }))}
                  onChange={(frequency) => {
                    stale()
                    setChosen(chosen.map((one) => (one.id === id ? { id, frequency: frequency as Frequency } : one)))
                  }}
                />
              ) : null}
            </div>
          )
        })}
      </fieldset>
      {problem ? <Banner tone="error">{problem}</Banner> : null}
      {price.isError ? <Banner tone="error">{price.error.message}</Banner> : null}
      {price.data ? (
        <div className="ask-price__prices" role="status">
          {price.data.items.map(({ id, name, lowCents, highCents }) => (
            <p key={id}>
              <span>{name}</span>
              {lowCents === null || highCents === null ? (
                <b>{services.find((one) => one.id === id)?.afterLook ? 'Priced after a look' : 'Price on request'}</b>
              ) : (
                <b>
                  <Range low={lowCents} high={highCents} /> a visit
                </b>
              )}
            </p>
          ))}
          {sum ? (
            <p>
              <span>Together for {listed(sum.names)}</span>
              <b>
                <Range low={sum.lowCents} high={sum.highCents} /> a visit
              </b>
            </p>
          ) : null}
          {sum === null || sum.left.length === 0 ? null : <p>{notInPrice(sum.left)}</p>}
          <p className="hint">
            {price.data.items.some(({ lowCents, highCents }) => (highCents ?? 0) > (lowCents ?? 0))
              ? 'A range, not a quote'
              : 'An estimate, not a quote'}
            : you get the exact price before anything is booked. Without sales tax.
          </p>
        </div>
      ) : (
        <Button kind="primary" loading={price.isPending} onClick={show}>
          Show my price
        </Button>
      )}
    </div>
  )
}
