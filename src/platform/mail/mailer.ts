import { createTransport, type Transporter } from 'nodemailer'
import { config } from '../config.ts'

export type Mail = {
  /** Our message id: becomes the Message-ID, so a bounce or a reply finds its way back. */
  id: string
  to: string
  fromName: string
  subject: string
  text: string
  html: string | null
  attachments: { name: string; mime: string; content: Buffer }[]
  /** List-Unsubscribe address for marketing mail. */
  unsubscribeUrl: string | null
}

/** What became of a hand-over: taken, refused for good, or worth another try. */
export type HandOver =
  | { result: 'accepted'; provider: string; providerId: string }
  | { result: 'refused'; reason: string }
  | { result: 'later'; reason: string }

const timeoutMs = 10_000
let transport: Transporter | undefined

const domain = (): string => new URL(config.publicUrl).hostname

/**
 * Hands a mail over: by SMTP when SMTP_URL is set, else it simply stays in the local outbox. Waits 10 s at most.
 * @throws when contact was lost after the server may have accepted: the caller marks it `unknown` and does not send again by itself
 */
export const handOverMail = async (mail: Mail): Promise<HandOver> => {
  if (!config.smtpUrl) return { result: 'accepted', provider: 'local', providerId: `local-${mail.id}` }
  transport ??= createTransport({
    url: config.smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  } as never)
  try {
    const info = await transport.sendMail({
      messageId: `<${mail.id}@${domain()}>`,
      from: { name: mail.fromName, address: config.mailFrom },
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      ...(mail.html ? { html: mail.html } : {}),
      attachments: mail.attachments.map((a) => ({ filename: a.name, content: a.content, contentType: a.mime })),
      ...(mail.unsubscribeUrl
        ? {
            headers: {
              'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            },
          }
        : {}),
    })
    return { result: 'accepted', provider: 'smtp', providerId: String(info.messageId) }
  } catch (error) {
    const { responseCode, code, command } = error as { responseCode?: number; code?: string; command?: string }
    const reason = error instanceof Error ? error.message : 'The mail server refused it.'
    if (responseCode && responseCode >= 500) return { result: 'refused', reason }
    if (responseCode || code === 'ECONNREFUSED' || code === 'EDNS' || (code === 'ECONNECTION' && command === 'CONN'))
      return { result: 'later', reason }
    throw error
  }
}
