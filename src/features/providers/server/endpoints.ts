import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { serve } from '../../../platform/http/serve.ts'
import {
  complaintsAddress,
  readLeadAddress,
  readReceiptAddress,
  readReturnAddress,
} from '../../../platform/mail/addresses.ts'
import { complaintOf, parseInbound, parseReceiptMail, parseStrangerMail } from '../../../platform/mail/inbound.ts'
import { signedTwilioForm } from '../../../platform/sms/signed.ts'
import { storeWebhook } from '../../../platform/webhooks.ts'
import { wireText } from '../../../shared/wire-text.ts'
import { prospectsPlace } from '../../desk/photos/server/queries.ts'
import { receiveReceiptMail } from '../../expenses/mailin/server/commands.ts'
import { takesLeadMail } from '../../leads/phone/server/queries.ts'
import { keepMailFiles, noFiles } from '../../messages/mailfiles/server/commands.ts'
import { mostMedia } from '../../messages/photos/rules.ts'
import { providersApi } from '../contract.ts'
import { checkMailSecret } from './policy.ts'

/** The provider takes an empty answer as "say nothing back". */
const silence = (reply: FastifyReply) => reply.type('text/xml').send('<Response></Response>')

const Uuid = z.uuid()

/** What came with a text, as its webhook names it. */
const mediaOf = (form: URLSearchParams): { ref: string; mime: string }[] =>
  Array.from({ length: Math.min(mostMedia, Number(form.get('NumMedia')) || 0) }, (_, at) => ({
    ref: (form.get(`MediaUrl${at}`) ?? '').slice(0, 500),
    mime: (form.get(`MediaContentType${at}`) ?? '').slice(0, 100).toLowerCase(),
  }))

export const providersEndpoints = serve(
  'providers',
  providersApi,
)({
  twilioStatus: async ({ request, reply, query }) => {
    const form = signedTwilioForm(request)
    const sid = form.get('MessageSid') ?? ''
    const status = form.get('MessageStatus') ?? ''
    const code = Number(form.get('ErrorCode') || Number.NaN)
    if (Uuid.safeParse(query.m).success)
      await storeWebhook({
        provider: 'twilio',
        account: '',
        // By message and status: a later status of the same message is news.
        eventId: `${sid}:${status}`,
        type: 'status',
        payload: {
          kind: 'status',
          messageId: query.m,
          businessId: query.b || null,
          status,
          code: Number.isNaN(code) ? null : code,
        },
      })
    return silence(reply)
  },
  twilioInbound: async ({ request, reply }) => {
    const form = signedTwilioForm(request)
    const id = form.get('MessageSid') ?? ''
    await storeWebhook({
      provider: 'twilio',
      account: '',
      eventId: `${id}:received`,
      type: 'text',
      payload: {
        kind: 'text',
        from: form.get('From') ?? '',
        text: wireText(form.get('Body') ?? '', 1600),
        id,
        media: mediaOf(form),
      },
    })
    return silence(reply)
  },
  mail: async ({ request, query }) => {
    checkMailSecret(String(request.headers.authorization ?? ''))
    const to = query.to.replaceAll(' ', '+')
    const receiptsOf = readReceiptAddress(to)
    // Not stored first: its pictures would be kept twice. What goes wrong is answered as such, and the mail server sends it again.
    if (receiptsOf)
      return { received: await receiveReceiptMail(receiptsOf, await parseReceiptMail(String(request.body ?? ''))) }
    const leadsOf = readLeadAddress(to)
    if (leadsOf) {
      const { files, ...mail } = await parseStrangerMail(String(request.body ?? ''))
      if (!(await takesLeadMail(leadsOf, mail))) return { received: false }
      await storeWebhook({
        provider: 'mail',
        account: 'lead',
        eventId: `${leadsOf}:${mail.messageId}`,
        type: 'lead',
        payload: { kind: 'lead', businessId: leadsOf, mail, files: await keepMailFiles(leadsOf, files) },
      })
      return { received: true }
    }
    const target = readReturnAddress(to)
    const isForComplaints = to.trim().toLowerCase() === complaintsAddress()?.toLowerCase()
    // some providers send a complaint to where bounces go
    const complaint = target || isForComplaints ? complaintOf(String(request.body ?? '')) : null
    if (complaint) {
      const { messageId, businessId } = complaint
      await storeWebhook({
        provider: 'mail',
        account: 'complaint',
        eventId: `${messageId}:complaint`,
        type: 'complaint',
        payload: { kind: 'complaint', messageId, businessId },
      })
      return { received: true }
    }
    // Mail to an address we did not make is nobody's: taken, so that it does not come again, and forgotten.
    if (!target) return { received: false }
    const { files, ...mail } = await parseInbound(String(request.body ?? ''))
    // Kept before the mail is, whose row is no place for them; a mail that comes again finds them there.
    const came =
      target.kind === 'reply' && !mail.report
        ? await keepMailFiles(target.businessId ?? prospectsPlace, files)
        : noFiles
    await storeWebhook({
      provider: 'mail',
      account: target.kind,
      eventId: `${target.messageId}:${mail.messageId || request.id}`,
      type: target.kind,
      payload: { ...target, mail, files: came },
    })
    return { received: true }
  },
})
