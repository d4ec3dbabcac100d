import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { config } from '../../../platform/config.ts'
import { serve } from '../../../platform/http/serve.ts'
import { readReceiptAddress, readReturnAddress } from '../../../platform/mail/addresses.ts'
import { parseInbound, parseReceiptMail } from '../../../platform/mail/inbound.ts'
import { isTwilioSignature, twilioSettings } from '../../../platform/sms/twilio.ts'
import { storeWebhook } from '../../../platform/webhooks.ts'
import { AppError } from '../../../shared/errors.ts'
import { receiveReceiptMail } from '../../expenses/mailin/server/commands.ts'
import { providersApi } from '../contract.ts'
import { checkMailSecret } from './policy.ts'

/** The form of a call that the provider signed. @throws forbidden, also while no provider is set up */
const twilioForm = (request: FastifyRequest): URLSearchParams => {
  const settings = twilioSettings(config)
  const form = new URLSearchParams(String(request.body ?? ''))
  const signature = String(request.headers['x-twilio-signature'] ?? '')
  if (!settings || !isTwilioSignature(settings, request.url, form, signature))
    throw new AppError('forbidden', 'The signature does not fit.')
  return form
}

/** The provider takes an empty answer as "say nothing back". */
const silence = (reply: FastifyReply) => reply.type('text/xml').send('<Response></Response>')

const Uuid = z.uuid()

export const providersEndpoints = serve(
  'providers',
  providersApi,
)({
  twilioStatus: async ({ request, reply, query }) => {
    const form = twilioForm(request)
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
    const form = twilioForm(request)
    const id = form.get('MessageSid') ?? ''
    const media = Number(form.get('NumMedia') ?? 0)
    const body = form.get('Body') || (media > 0 ? '(A picture, which is not kept.)' : '')
    await storeWebhook({
      provider: 'twilio',
      account: '',
      eventId: `${id}:received`,
      type: 'text',
      payload: { kind: 'text', from: form.get('From') ?? '', text: body.slice(0, 1600), id },
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
    const target = readReturnAddress(to)
    // Mail to an address we did not make is nobody's: taken, so that it does not come again, and forgotten.
    if (!target) return { received: false }
    const mail = await parseInbound(String(request.body ?? ''))
    await storeWebhook({
      provider: 'mail',
      account: target.kind,
      eventId: `${target.messageId}:${mail.messageId || request.id}`,
      type: target.kind,
      payload: { ...target, mail },
    })
    return { received: true }
  },
})
