import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { copyLink } from '../../../../ui/copy.ts'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, useUser } from '../../../accounts/web/session.ts'
import { cardLinksApi } from '../../cardlinks/contract.ts'
import { type CustomerCard, cardsApi } from '../contract.ts'
import { customerCardQuery, useCardLink, useRemoveCard, useSetAutopay } from './data.ts'
import './cards.css'

type Card = NonNullable<CustomerCard['card']>
type Customer = { id: string; name: string }

/** Where somebody agreed that their card pays by itself. */
const agreedOn: Partial<Record<string, string>> = { card: 'the page of a link', portal: 'their portal' }

const State = ({ card }: { card: Card }) => (
  <>
    {card.autopay ? <Badge tone="done">Autopay on</Badge> : <Badge>Autopay off</Badge>}
    {card.expiresSoon ? <Badge tone="late">Expires soon</Badge> : null}
    {card.livemode ? null : <Badge tone="flag">TEST</Badge>}
  </>
)

const Actions = ({ customer, card, onRemove }: { customer: Customer; card: Card; onRemove: () => void }) => {
  const set = useSetAutopay(customer.id)
  const turn = (on: boolean) =>
    set.mutate(on, {
      onSuccess: () =>
        toast.success(
          on
            ? `Autopay is on; ${customer.name} is told, and open invoices are announced first`
            : `Autopay is off; ${customer.name} is told`,
        ),
      onError: (error) => toast.error(error),
    })
  return (
    <div className="card-on-file__do">
      {card.can.turnOn ? (
        <Button size="s" loading={set.isPending} onClick={() => turn(true)}>
          Turn autopay on
        </Button>
      ) : null}
      {card.can.turnOff ? (
        <Button size="s" loading={set.isPending} onClick={() => turn(false)}>
          Turn autopay off
        </Button>
      ) : null}
      {card.can.remove ? (
        <Button size="s" kind="quiet" onClick={onRemove}>
          {card.kind === 'bank' ? 'Take off' : 'Remove card'}
        </Button>
      ) : null}
    </div>
  )
}

/** A link at which the customer leaves a card: mailed, texted, or to hand on. */
const AskForCard = ({ customer, email, text }: { customer: Customer } & Pick<CustomerCard, 'email' | 'text'>) => {
  const may = useMay()
  const { business } = useUser()
  const mail = useCardLink(customer.id)
  const texted = useCardLink(customer.id)
  const copied = useCardLink(customer.id)
  if (!may(cardLinksApi.send)) return null
  const copy = async () => {
    const { url } = await copied.mutateAsync('hand')
    await copyLink(url, 'The link is copied. It is good for 14 days')
  }
  return (
    <div className="card-on-file__do">
      {email ? (
        <Button
          size="s"
          calls={cardLinksApi.send}
          loading={mail.isPending}
          onClick={() =>
            mail.mutate('email', {
              onSuccess: ({ address }) => toast.success(`A link to leave a card is on its way to ${address}`),
              onError: (error) => toast.error(error),
            })
          }
        >
          Ask for a card by mail
        </Button>
      ) : null}
      {text.number ? (
        <Button
          size="s"
          calls={cardLinksApi.send}
          loading={texted.isPending}
          onClick={() =>
            texted.mutate('sms', {
              onSuccess: ({ address, waitsUntil }) => {
                const to = formatPhone(address ?? '')
                toast.success(
                  waitsUntil
                    ? `The text to ${to} waits until ${formatTime(waitsUntil, business.timeZone)}, ${formatDay(dayOf(waitsUntil, business.timeZone))}: your quiet hours`
                    : `A link to leave a card is on its way to ${to}`,
                )
              },
              onError: (error) => toast.error(error),
            })
          }
        >
          Ask for a card by text
        </Button>
      ) : null}
      <Button
        size="s"
        kind="quiet"
        calls={cardLinksApi.send}
        loading={copied.isPending}
        onClick={() => void copy().catch(toast.error)}
      >
        Copy a link for a card
      </Button>
      {text.why && !email ? (
        <p className="hint">
          No text goes to {customer.name}: {text.why}.
        </p>
      ) : null}
    </div>
  )
}

/** The card that a customer left, and what it pays by itself. */
export const CardOnFile = ({ customer }: { customer: Customer }) => {
  const may = useMay()
  const { business } = useUser()
  const found = useQuery({ ...customerCardQuery(customer.id), enabled: may(cardsApi.getCard) })
  const remove = useRemoveCard(customer.id)
  const [asking, setAsking] = useState(false)
  if (found.isError)
    return (
      <ErrorState
        compact
        error={found.error}
        title="We could not load the card on file"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!found.data) return null
  const { card, takesCards, takesBank, email, text } = found.data
  if (!card)
    return (
      <section className="card-on-file">
        <h3>{takesBank ? 'No card or bank account on file' : 'No card on file'}</h3>
        <p className="muted">
          {takesCards
            ? takesBank
              ? `When ${customer.name} pays an invoice, they can tick “Keep this card or account and pay my invoices automatically”. Or send them a link: it keeps a card or a bank account and charges nothing.`
              : `When ${customer.name} pays an invoice by card, they can tick “Keep this card and pay my invoices automatically”. Or send them a link: it keeps a card and charges nothing.`
            : 'You do not take cards right now: see Profile, Money.'}
        </p>
        {takesCards ? <AskForCard customer={customer} email={email} text={text} /> : null}
      </section>
    )
  const agreed = formatDay(dayOf(card.mandate.at, business.timeZone), { long: true, year: true })
  return (
    <section className="card-on-file">
      <h3>
        {card.label} <State card={card} />
      </h3>
      {card.ended ? <Banner tone="warn">{`Autopay stopped by itself. ${card.ended}`}</Banner> : null}
      <p className="muted">
        {card.expires ? `Good until ${card.expires}. ` : null}
        {card.next ? (
          <>
            Next: {formatCents(card.next.amountCents)} for{' '}
            <LinkTo href={linkTo.invoice(card.next.invoiceId)}>INV-{card.next.number}</LinkTo> on{' '}
            {formatDay(card.next.chargeOn)}.
          </>
        ) : card.autopay ? (
          'Invoices are charged on their due day; the customer has a mail before.'
        ) : card.stoppedByHolder ? (
          `${customer.name} turned autopay off. Only they can turn it on again, when they pay an invoice or leave one anew.`
        ) : (
          'Invoices are not charged by themselves.'
        )}
      </p>
      <details>
        <summary>What {customer.name} agreed to</summary>
        <p>“{card.mandate.text}”</p>
        <p className="hint">
          On {agreed}, on {agreedOn[card.mandate.page] ?? 'the page of an invoice'} (version {card.mandate.version}).
        </p>
      </details>
      <Actions customer={customer} card={card} onRemove={() => setAsking(true)} />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`${card.kind === 'bank' ? 'Take off' : 'Remove'} the ${card.label}?`}
        confirmLabel={card.kind === 'bank' ? 'Take off' : 'Remove card'}
        danger
        onConfirm={async () => {
          await remove.mutateAsync()
          setAsking(false)
          toast.success(card.kind === 'bank' ? 'The bank account is taken off' : 'The card is removed')
        }}
      >
        It is forgotten here and at the card provider, and pays no more invoices; what is on its way still arrives. Only{' '}
        {customer.name} can leave one again.
      </ConfirmDialog>
    </section>
  )
}
