import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { IconMail, IconMessage } from '../../../ui/icons.ts'
import { Money } from '../../../ui/Money.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { type PortalRequest, portalApi } from '../contract.ts'
import type { RequestAction, RequestState } from '../rules.ts'
import './portal.css'
import { portalRequestsQuery, useAnswerRequest, useSendPortalLink } from './data.ts'

type Customer = { id: string; name: string; email: string | null; phone: string | null; archivedAt: string | null }

const states: Record<RequestState, { label: string; tone: 'wait' | 'done' | 'neutral' }> = {
  open: { label: 'Waits for an answer', tone: 'wait' },
  done: { label: 'Done', tone: 'done' },
  declined: { label: 'Declined', tone: 'neutral' },
  withdrawn: { label: 'Ended', tone: 'neutral' },
}

const AnswerDialog = ({
  request,
  action,
  onClose,
}: {
  request: PortalRequest
  action: RequestAction
  onClose: () => void
}) => {
  const answer = useAnswerRequest(request.customerId)
  const [words, setWords] = useState('')
  const accepts = action === 'accept'
  const send = () =>
    answer.mutate(
      { id: request.id, action, words },
      {
        onSuccess: () => {
          toast.success(
            accepts
              ? `${request.customerName} hears that it is taken care of`
              : `${request.customerName} hears that it is not possible`,
          )
          onClose()
        },
        onError: toast.error,
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        accepts ? (request.kind === 'address' ? 'Change the address?' : 'Taken care of?') : 'Decline this request?'
      }
    >
      <p>
        <b>{request.title}</b>
      </p>
      <p className="muted">
        {accepts && request.kind === 'address'
          ? 'The property gets the new address, and its pin is found again. The customer hears of it by e-mail and in the portal.'
          : 'The customer hears of it by e-mail and in the portal.'}
      </p>
      <TextAreaField
        label="Words to the customer"
        optional
        rows={3}
        maxLength={1000}
        value={words}
        onChange={setWords}
      />
      <Button calls={portalApi.answer} kind={accepts ? 'primary' : 'danger'} loading={answer.isPending} onClick={send}>
        {accepts ? (request.kind === 'address' ? 'Change the address' : 'Say it is taken care of') : 'Decline'}
      </Button>
    </Dialog>
  )
}

const Request = ({ request, onAnswer }: { request: PortalRequest; onAnswer: (action: RequestAction) => void }) => {
  const state = states[request.status]
  return (
    <li className="contact-list__one">
      <div>
        <span>
          <Badge tone={state.tone}>{state.label}</Badge>
        </span>
        <b>{request.title}</b>
        {request.priceCents === null ? null : (
          <span className="hint">
            {' '}
            shown at <Money cents={request.priceCents} />
          </span>
        )}
        <p className="hint">
          {[request.kind === 'service' ? request.street : null, request.byName ? `by ${request.byName}` : null]
            .filter(Boolean)
            .join(' · ')}{' '}
          <RelativeTime at={request.createdAt} timeZone={useUser().business.timeZone} />
        </p>
        {request.words ? <p>“{request.words}”</p> : null}
        {request.can.accept ? (
          <p className="portal-acts">
            {request.kind === 'service' ? (
              <Button size="s" href={linkTo.newQuote({ customerId: request.customerId })}>
                Make a quote
              </Button>
            ) : null}
            <Button calls={portalApi.answer} size="s" onClick={() => onAnswer('accept')}>
              {request.kind === 'address' ? 'Accept' : 'Taken care of'}
            </Button>
            <Button calls={portalApi.answer} size="s" kind="quiet" onClick={() => onAnswer('decline')}>
              Decline
            </Button>
          </p>
        ) : null}
      </div>
    </li>
  )
}

/** The portal of one customer: a link to it, and what they asked for there. */
export const CustomerPortal = ({ customer }: { customer: Customer }) => {
  const { timeZone } = useUser().business
  const may = useMay()
  const found = useQuery({ ...portalRequestsQuery(customer.id), enabled: may(portalApi.requests) })
  const send = useSendPortalLink(customer.id)
  const [answering, setAnswering] = useState<{ request: PortalRequest; action: RequestAction } | null>(null)
  if (!found.data) return null
  const { items, lastSeenAt } = found.data
  const sendBy = (by: 'email' | 'sms') =>
    send.mutate(by, {
      onSuccess: ({ address }) => toast.success(`A link is on its way to ${address}. It is good for 20 minutes`),
      onError: toast.error,
    })
  const ways = [
    customer.email && {
      label: `By e-mail to ${customer.email}`,
      icon: <IconMail size={18} />,
      onClick: () => sendBy('email'),
    },
    customer.phone && { label: 'By text', icon: <IconMessage size={18} />, onClick: () => sendBy('sms') },
  ].filter((one) => one !== null && one !== '')
  return (
    <section className="panel-section" aria-label="Customer portal">
      <header>
        <h3>Portal</h3>
        {may(portalApi.sendLink) && customer.archivedAt === null && ways.length > 0 ? (
          customer.email ? (
            <Button
              calls={portalApi.sendLink}
              size="s"
              kind="quiet"
              icon={<IconMail />}
              loading={send.isPending}
              onClick={() => sendBy('email')}
            >
              Send portal link
            </Button>
          ) : (
            <Button
              calls={portalApi.sendLink}
              size="s"
              kind="quiet"
              icon={<IconMessage />}
              loading={send.isPending}
              onClick={() => sendBy('sms')}
            >
              Text portal link
            </Button>
          )
        ) : null}
        {customer.email && customer.phone && may(portalApi.sendLink) ? (
          <MoreMenu label="Other ways to send the portal link" items={ways} />
        ) : null}
      </header>
      <p className="muted">
        {lastSeenAt ? (
          <>
            Last there <RelativeTime at={lastSeenAt} timeZone={timeZone} />.
          </>
        ) : (
          'Not opened yet. There they see visits and bills, write to you, and skip or pause by your rules.'
        )}
      </p>
      {items.length > 0 ? (
        <ul className="contact-list">
          {items.map((request) => (
            <Request key={request.id} request={request} onAnswer={(action) => setAnswering({ request, action })} />
          ))}
        </ul>
      ) : null}
      {answering ? <AnswerDialog {...answering} onClose={() => setAnswering(null)} /> : null}
    </section>
  )
}
