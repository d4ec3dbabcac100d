import type { FastifyInstance } from 'fastify'
import { newId } from '../../platform/ids.ts'
import { returnAddress } from '../../platform/mail/addresses.ts'
import type { BodyOf } from '../../shared/endpoint.ts'
import { postMail } from '../mail/post.ts'
import { postSigned } from '../webhooks.ts'
import { localProspectsApi } from './contract.ts'
import { getLeadPhone, getSentMail } from './queries.ts'

type Act = BodyOf<typeof localProspectsApi.act>

const header = (text: string): string => text.replace(/[\r\n]+/g, ' ')

const answerOf = (from: string, subject: string, text: string): string =>
  [
    `From: ${header(from)}`,
    `Subject: Re: ${header(subject)}`,
    `Message-ID: <${newId()}@prospect.local>`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
  ].join('\r\n')

const reportOf = (address: string): string =>
  [
    'From: mailer-daemon@prospect.local',
    'Subject: Undelivered Mail Returned to Sender',
    `Message-ID: <${newId()}@prospect.local>`,
    'Auto-Submitted: auto-replied',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="part"',
    '',
    '--part',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; prospect.local',
    '',
    `Final-Recipient: rfc822; ${header(address)}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 No such user',
    '',
    '--part--',
  ].join('\r\n')

/** Plays a prospect on one's own computer: what it does goes through the same webhooks as the real thing. */
export const playProspect = async (app: FastifyInstance, act: Act): Promise<void> => {
  if (act.kind === 'text' || act.kind === 'status') {
    const update =
      act.kind === 'text'
        ? { kind: 'text', from: await getLeadPhone(act.leadId), text: act.text, media: act.media, id: newId() }
        : { ...act, id: newId() }
    return postSigned(app, localProspectsApi.webhook.path, update)
  }
  const sent = await getSentMail(act.messageId)
  const kind = act.kind === 'mail' ? 'reply' : 'bounce'
  const to = returnAddress(kind, act.messageId) ?? ''
  const raw = act.kind === 'mail' ? answerOf(act.from ?? sent.address, sent.subject, act.text) : reportOf(sent.address)
  await postMail(app, to, raw)
}
