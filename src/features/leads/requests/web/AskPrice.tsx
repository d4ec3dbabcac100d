import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { formatDay } from '../../../../shared/dates.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { PhoneField } from '../../../../ui/PhoneField.tsx'
import { StateField } from '../../../../ui/StateField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import type { pageBookingApi } from '../../booking/contract.ts'
import { dayPartLabel } from '../../booking/rules.ts'
import { useBook } from '../../booking/web/data.ts'
import { type Held, PickDay } from '../../booking/web/PickDay.tsx'
import type { leadRequestApi } from '../contract.ts'
import { requestProblems } from '../rules.ts'
import { useAsk, usePlace } from './data.ts'
import { type Lawn, LawnPrice } from './LawnPrice.tsx'

type Booked = ResponseOf<typeof pageBookingApi.book>
type Offer = ResponseOf<typeof leadRequestApi.offer>
type Place = ResponseOf<typeof leadRequestApi.place>
type Address = { street: string; city: string; state: string; zip: string }
type Contact = {
  name: string
  phone: string | null
  email: string
  wants: string
  consent: boolean
  offers: boolean
  company: string
}

const Where = ({ slug, onPlace }: { slug: string; onPlace: (address: Address, place: Place) => void }) => {
  const place = usePlace(slug)
  const form = useForm<Address>({ defaultValues: { street: '', city: '', state: '', zip: '' } })
  return (
    <Form
      form={form}
      label="Your address"
      onSubmit={async (address) => {
        if (!/^\d{5}/.test(address.zip.trim())) return form.setError('zip', { message: 'A ZIP code has five digits.' })
        const zip = address.zip.trim().slice(0, 5)
        onPlace({ ...address, zip }, await place.mutateAsync({ ...address, zip }))
      }}
    >
      <FieldGrid min={130}>
        <FormField control={form.control} name="street" needed="Which street and number?">
          {(f) => <TextField label="Street" className="is-whole" autoComplete="address-line1" maxLength={200} {...f} />}
        </FormField>
        <FormField control={form.control} name="city">
          {(f) => <TextField label="City" optional autoComplete="address-level2" maxLength={100} {...f} />}
        </FormField>
        <FormField control={form.control} name="state">
          {(f) => <StateField label="State" optional {...f} />}
        </FormField>
        <FormField control={form.control} name="zip" needed="A ZIP code has five digits.">
          {(f) => <TextField label="ZIP code" autoComplete="postal-code" maxLength={10} {...f} />}
        </FormField>
      </FieldGrid>
      <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
        Check my address
      </Button>
    </Form>
  )
}

const Who = ({
  consent,
  offers,
  submit,
  away,
  button = 'Send my request',
}: {
  consent: string
  offers: string
  away: boolean
  button?: string
  submit: (contact: Contact) => Promise<void>
}) => {
  const form = useForm<Contact>({
    defaultValues: { name: '', phone: null, email: '', wants: '', consent: false, offers: false, company: '' },
  })
  const { control } = form
  return (
    <Form
      form={form}
      label="How to reach you"
      onSubmit={async (values) => {
        const problems = requestProblems({
          ...values,
          phone: values.phone ?? '',
          street: '',
          city: '',
          state: '',
          zip: '',
          ms: '',
          consent: '',
          offers: '',
        })
        for (const { path, message } of problems) if (path !== 'zip') form.setError(path, { message })
        if (problems.length === 0) await submit(values)
      }}
    >
      <FieldGrid min={180}>
        <FormField control={control} name="name">
          {(f) => <TextField label="Your name" className="is-whole" autoComplete="name" maxLength={120} {...f} />}
        </FormField>
        <FormField control={control} name="phone">
          {(f) => <PhoneField label="Phone" {...f} />}
        </FormField>
        <FormField control={control} name="email">
          {(f) => <TextField label="E-mail" type="email" optional autoComplete="email" maxLength={254} {...f} />}
        </FormField>
        <FormField control={control} name="wants">
          {(f) => (
            <TextAreaField
              label={away ? 'What do you need?' : 'Anything we should know?'}
              optional
              rows={2}
              maxLength={2000}
              className="is-whole"
              {...f}
            />
          )}
        </FormField>
      </FieldGrid>
      <FormField control={control} name="consent">
        {(f) => <CheckboxField label={consent} {...f} />}
      </FormField>
      <FormField control={control} name="offers">
        {(f) => <CheckboxField label={offers} {...f} />}
      </FormField>
      <div className="ask-away" aria-hidden="true">
        <label>
          Leave this empty
          <input tabIndex={-1} autoComplete="off" {...form.register('company')} />
        </label>
      </div>
      <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
        {button}
      </Button>
    </Form>
  )
}

type Props = { slug: string; name: string; offer: Offer; referral: string }

/** From an address to a request: whether it is served, how large the lawn is, what it costs about, how to reach them. */
export const AskPrice = ({ slug, name, offer, referral }: Props) => {
  const [key] = useState(() => crypto.randomUUID())
  const [address, setAddress] = useState<Address | null>(null)
  const [place, setPlace] = useState<Place | null>(null)
  const [lawn, setLawn] = useState<Lawn | null>(null)
  const [done, setDone] = useState<{ served: boolean } | null>(null)
  const [how, setHow] = useState<'pick' | 'ask' | null>(null)
  const [held, setHeld] = useState<Held | null>(null)
  const [booked, setBooked] = useState<Booked | null>(null)
  const ask = useAsk(slug)
  const book = useBook(slug)
  if (booked)
    return (
      <section className="ask-price" aria-label="Your booking">
        <div role="status">
          <h2>
            {booked.state === 'booked'
              ? `You are booked for ${formatDay(booked.day)}.`
              : `We passed on your wish for ${formatDay(booked.day)}.`}
          </h2>
          <p>
            {booked.state === 'booked'
              ? `${name} comes ${booked.part ? dayPartLabel[booked.part] : 'on that day'}, for ${formatCents(booked.totalCents)} a visit. A confirmation is on its way to you.`
              : `${name} looks at it and tells you soon whether it goes. Nothing is booked before that.`}
          </p>
        </div>
      </section>
    )
  if (done)
    return (
      <section className="ask-price" aria-label="Your request">
        <div role="status">
          <h2>Thank you. We have your request.</h2>
          <p>
            {done.served
              ? `${name} will get back to you with the price and a day. There is nothing else you need to do.`
              : `${name} does not work at your address yet. They know that you asked, and will tell you when that changes.`}
          </p>
        </div>
      </section>
    )
  const away = place?.served === false
  const priced = offer.services.length > 0 && !away
  const canPick =
    !away &&
    place !== null &&
    place.latitude !== null &&
    (lawn?.services.every(({ id }) => offer.services.find((one) => one.id === id)?.bookable) ?? false)
  const restart = () => {
    setHow(null)
    setHeld(null)
  }
  return (
    <section className="ask-price" aria-label="What would my lawn cost?">
      <header>
        <h2>What would my lawn cost?</h2>
        <p className="muted">
          {priced || !place ? 'Three short steps, and you see a price range.' : 'Tell us how to reach you.'}
        </p>
      </header>
      {address && place ? (
        <div className="ask-price__place">
          <span>
            <b>{address.street}</b>, {[address.city, address.state, address.zip].filter(Boolean).join(' ')}
          </span>
          <Button
            size="s"
            kind="quiet"
            onClick={() => {
              setPlace(null)
              setLawn(null)
              restart()
            }}
          >
            Another address
          </Button>
        </div>
      ) : (
        <Where
          slug={slug}
          onPlace={(at, found) => {
            setAddress(at)
            setPlace(found)
          }}
        />
      )}
      {place && away ? (
        <Banner tone="warn" title={`${name} does not work there yet.`}>
          Leave your number: they keep your request apart and tell you when they come to your street.
        </Banner>
      ) : null}
      {place && priced ? (
        <LawnPrice
          slug={slug}
          services={offer.services}
          place={place}
          onLawn={(next) => {
            setLawn(next)
            restart()
          }}
        />
      ) : null}
      {canPick && how !== 'pick' ? (
        <div className="pick-how">
          <Button kind={how === null ? 'primary' : 'secondary'} onClick={() => setHow('pick')}>
            Pick a day
          </Button>
          {how === null ? <Button onClick={() => setHow('ask')}>Request a visit</Button> : null}
        </div>
      ) : null}
      {address && lawn && canPick && how === 'pick' ? (
        <PickDay slug={slug} bookingKey={key} address={address} lawn={lawn} held={held} onHeld={setHeld}>
          <Who
            away={false}
            consent={offer.consent}
            offers={offer.offers}
            button={held?.asks ? 'Ask for this day' : 'Book this day'}
            submit={async ({ phone, ...contact }) => {
              setBooked(
                await book.mutateAsync({
                  ...contact,
                  phone: phone ?? '',
                  key,
                  ref: referral,
                  ms: String(Math.round(performance.now())),
                }),
              )
            }}
          />
        </PickDay>
      ) : null}
      {canPick && how === 'pick' && !held ? (
        <Button kind="quiet" onClick={() => setHow('ask')}>
          Request a visit instead
        </Button>
      ) : null}
      {address && place && (!priced || (lawn && (!canPick || how === 'ask'))) ? (
        <Who
          away={away}
          consent={offer.consent}
          offers={offer.offers}
          submit={async ({ phone, ...contact }) => {
            const { served } = await ask.mutateAsync({
              ...contact,
              ...address,
              phone: phone ?? '',
              key,
              ref: referral,
              ms: String(Math.round(performance.now())),
              lawn: lawn ? { squareFeet: lawn.squareFeet, way: lawn.way, ring: lawn.ring ?? null } : null,
              services: lawn?.services ?? [],
            })
            setDone({ served })
          }}
        />
      ) : null}
    </section>
  )
}
