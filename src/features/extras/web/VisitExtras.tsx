import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import type { Stroke } from '../../../shared/strokes.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Money } from '../../../ui/Money.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { PhotoStrokes } from '../../../ui/PhotoStrokes.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { type Extra, extrasApi } from '../contract.ts'
import { type ExtraState, extraStateLabel } from '../rules.ts'
import { useExtraDeed, visitExtrasQuery } from './data.ts'
import './extras.css'

/** A photo of the visit, as its panel has it. */
type Photo = { id: string; url: string; strokes: readonly Stroke[] }

const tone: Record<ExtraState, 'wait' | 'done' | 'neutral'> = {
  asked: 'wait',
  refused: 'neutral',
  waiting: 'wait',
  added: 'done',
  booked: 'done',
  declined: 'neutral',
  withdrawn: 'neutral',
}

type Asked = 'add' | 'reprice' | 'book' | 'decline'

const words: Record<Asked, { title: string; press: string; done: string }> = {
  add: { title: 'Put it on the visit', press: 'Put on the visit', done: 'It stands on the visit' },
  reprice: { title: 'Change its price', press: 'Save the price', done: 'The price is changed' },
  book: { title: 'Make it a job of its own', press: 'Make the job', done: 'A job waits to be scheduled' },
  decline: { title: 'Decline it', press: 'Decline', done: 'Declined. The crew reads it' },
}

const PriceForm = ({
  extra,
  action,
  onDone,
}: {
  extra: Extra
  action: 'add' | 'reprice' | 'book'
  onDone: () => void
}) => {
  const deed = useExtraDeed()
  const form = useForm<{ priceCents: number | null }>({ defaultValues: { priceCents: extra.priceCents } })
  return (
    <Form
      form={form}
      label={words[action].title}
      onSubmit={async ({ priceCents }) => {
        if (priceCents === null) return form.setError('priceCents', { message: 'Type what it costs.' })
        await deed.mutateAsync({ action, extra, body: { priceCents } })
        toast.success(words[action].done)
        onDone()
      }}
    >
      <FormField control={form.control} name="priceCents" needed="Type what it costs.">
        {(f) => <MoneyField label="Price" hint={extra.rule ? `By your rule: ${extra.rule}` : undefined} {...f} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" calls={extrasApi[action]} loading={form.formState.isSubmitting}>
          {words[action].press}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

const DeclineForm = ({ extra, onDone }: { extra: Extra; onDone: () => void }) => {
  const deed = useExtraDeed()
  const form = useForm({ defaultValues: { note: '' } })
  return (
    <Form
      form={form}
      label={words.decline.title}
      onSubmit={async ({ note }) => {
        await deed.mutateAsync({ action: 'decline', extra, body: { note } })
        toast.success(words.decline.done)
        onDone()
      }}
    >
      <FormField control={form.control} name="note">
        {(f) => <TextField label="Why, for the crew" optional maxLength={300} {...f} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" calls={extrasApi.decline} loading={form.formState.isSubmitting}>
          {words.decline.press}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

const Photos = ({ extra, photos }: { extra: Extra; photos: readonly Photo[] }) => {
  const here = extra.photoIds.flatMap((id) => photos.find((photo) => photo.id === id) ?? [])
  const missing = extra.photoIds.length - here.length
  return (
    <>
      {here.length > 0 ? (
        <ul className="extra-photos">
          {here.map((photo, at) => (
            <li key={photo.id}>
              <a href={photo.url} target="_blank" rel="noreferrer">
                <img src={photo.url} alt={`${extra.title}, ${at + 1}`} loading="lazy" />
                {photo.strokes.length > 0 ? <PhotoStrokes strokes={photo.strokes} /> : null}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {missing > 0 ? (
        <p className="hint">{missing === 1 ? '1 photo is' : `${missing} photos are`} still on the phone of the crew.</p>
      ) : null}
    </>
  )
}

/** What the customer said, as it was. */
const Evidence = ({ consent, timeZone }: { consent: NonNullable<Extra['consent']>; timeZone: string }) => {
  const { way, answer, words, signer, strokes, at, byName, latitude, longitude, accuracyMeters } = consent
  const when = `${formatDay(dayOf(at, timeZone), { year: true })}, ${formatTime(at, timeZone)}`
  const how = way === 'signature' ? 'signed on the phone' : 'answered by the link'
  return (
    <figure className="extra-consent">
      {words ? <blockquote>{words}</blockquote> : null}
      {strokes.length > 0 ? (
        <div className="extra-consent__sign" role="img" aria-label={`Signature of ${signer || 'the customer'}`}>
          <PhotoStrokes strokes={strokes} size={{ width: 700, height: 360 }} fit="contain" ink />
        </div>
      ) : null}
      <figcaption className="hint">
        {[
          `${signer || 'The customer'} said ${answer}, ${how}`,
          when,
          byName ? `with ${byName}` : null,
          latitude === null || longitude === null
            ? null
            : `at ${latitude.toFixed(5)}, ${longitude.toFixed(5)}${accuracyMeters === null ? '' : ` (within ${accuracyMeters} m)`}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </figcaption>
    </figure>
  )
}

const One = ({ extra, photos, timeZone }: { extra: Extra; photos: readonly Photo[]; timeZone: string }) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const deed = useExtraDeed()
  const { can } = extra
  // One press where the rule has said how much; else its price is asked for.
  const act = (action: 'add' | 'book') => {
    if (extra.priceCents === null) return setAsked(action)
    deed.mutateAsync({ action, extra, body: {} }).then(() => toast.success(words[action].done), toast.error)
  }
  const close = () => setAsked(null)
  return (
    <li className="extra-one">
      <div className="extra-one__head">
        <span>
          <b>{extra.title}</b>
          <span className="hint">
            {[extra.byName, `${formatDay(dayOf(extra.at, timeZone))}, ${formatTime(extra.at, timeZone)}`, extra.rule]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
        <span>
          {extra.priceCents === null ? null : <Money cents={extra.priceCents} />}{' '}
          <Badge tone={tone[extra.state]}>{extraStateLabel[extra.state]}</Badge>
        </span>
      </div>
      {extra.note ? <p>“{extra.note}”</p> : null}
      {extra.planned === 'later' ? <p className="hint">For another day</p> : null}
      {extra.consent ? <Evidence consent={extra.consent} timeZone={timeZone} /> : null}
      <Photos extra={extra} photos={photos} />
      {extra.decidedByName ? (
        <p className="hint">
          {extra.decidedByName}
          {extra.decisionNote ? `: “${extra.decisionNote}”` : ' decided about it.'}
        </p>
      ) : null}
      {extra.jobId ? (
        <p>
          <LinkTo href={linkTo.job(extra.jobId)}>Open its job</LinkTo>
        </p>
      ) : null}
      <div className="extra-one__acts">
        {can.add ? (
          <Button size="s" calls={extrasApi.add} loading={deed.isPending} onClick={() => act('add')}>
            Put on the visit
          </Button>
        ) : null}
        {can.reprice ? (
          <Button size="s" calls={extrasApi.reprice} onClick={() => setAsked('reprice')}>
            Change price
          </Button>
        ) : can.add && extra.priceCents !== null ? (
          <Button size="s" calls={extrasApi.add} onClick={() => setAsked('add')}>
            At another price
          </Button>
        ) : null}
        {can.book ? (
          <Button size="s" calls={extrasApi.book} loading={deed.isPending} onClick={() => act('book')}>
            Make it a job
          </Button>
        ) : null}
        {can.decline ? (
          <Button size="s" kind="quiet" calls={extrasApi.decline} onClick={() => setAsked('decline')}>
            Decline
          </Button>
        ) : null}
      </div>
      <Dialog open={asked !== null} onClose={close} title={asked ? words[asked].title : ''} size="s">
        {asked === 'decline' ? (
          <DeclineForm extra={extra} onDone={close} />
        ) : asked ? (
          <PriceForm extra={extra} action={asked} onDone={close} />
        ) : null}
      </Dialog>
    </li>
  )
}

/** What a visit costs beyond what its job says, with its photos and what is to be decided. Nothing is shown where nobody said anything. */
export const VisitExtras = ({ visitId, photos }: { visitId: string; photos: readonly Photo[] }) => {
  const { timeZone } = useUser().business
  const found = useQuery(visitExtrasQuery(visitId))
  if (found.error && !found.data)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  const items = found.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section className="visit-part" aria-labelledby={`extras-${visitId}`}>
      <h3 id={`extras-${visitId}`}>Extras</h3>
      <ul className="extra-list">
        {items.map((extra) => (
          <One key={extra.id} extra={extra} photos={photos} timeZone={timeZone} />
        ))}
      </ul>
    </section>
  )
}
