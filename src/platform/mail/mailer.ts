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
  /** Where an answer goes, when not to the sender. */
  replyTo?: string | null
  /** Envelope sender, so that a bounce names the message (VERP). */
  bounceTo?: string | null
}

/** What became of a hand-over: taken, refused for good (`shut` says why nothing more may go to this address), or worth another try. */
export type SendResult =
  | {
      result: 'accepted'
      provider: string
      providerId: string /** False when nothing really went out. */
      livemode: boolean
    }
  | { result: 'refused'; reason: string; suppressed: string | null }
  | { result: 'later'; reason: string }

const timeoutMs = 10_000
let transport: { url: string; to: Transporter } | undefined

/** Replies that mean the address itself: 5.1.x and 5.2.1, or 550, 551 and 553 without a finer code. A full box or a policy shuts nothing. */
const suppressedBy = (code: number, message: string): string | null => {
  const finer = /\b5\.(\d+)\.(\d+)\b/.exec(message)
  const gone = finer ? finer[1] === '1' || (finer[1] === '2' && finer[2] === '1') : [550, 551, 553].includes(code)
  return gone ? 'The mail server says this address does not exist' : null
}

const domain = (): string => new URL(config.publicUrl).hostname

type Box = (mail: Mail) => SendResult

const noBox: Box = () => ({ result: 'refused', reason: 'No mail server is set up on this server', suppressed: null })
let played = noBox

/** Says what becomes of mail on one's own computer; set at start. */
export const setPlayedMail = (by: Box): void => {
  played = by
}

/**
 * Hands a mail over: by SMTP when SMTP_URL is set, else on a computer of one's own to whoever plays the mail server. Waits 10 s at most.
 * @throws when contact was lost after the server may have accepted: the caller marks it `unknown` and does not send again by itself
 */
export const deliverMail = async (mail: Mail): Promise<SendResult> => {
  if (!config.smtpUrl) return (config.production ? noBox : played)(mail)
  if (transport?.url !== config.smtpUrl)
    transport = {
      url: config.smtpUrl,
      to: createTransport({
        url: config.smtpUrl,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
      } as never),
    }
  try {
    const info = await transport.to.sendMail({
      messageId: `<${mail.id}@${domain()}>`,
      from: { name: mail.fromName, address: config.mailFrom },
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      ...(mail.html ? { html: mail.html } : {}),
      ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
      ...(mail.bounceTo
        ? {
            envelope: { from: mail.bounceTo, to: mail.to },
            // A server that can says when it delivered; one that cannot ignores this.
            dsn: { id: mail.id, return: 'headers', notify: ['success', 'failure'], recipient: mail.bounceTo },
          }
        : {}),
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
    return { result: 'accepted', provider: 'smtp', providerId: String(info.messageId), livemode: true }
  } catch (error) {
    const { responseCode, command } = error as { responseCode?: number; command?: string }
    const reason = error instanceof Error ? error.message : 'The mail server refused it.'
    if (responseCode && responseCode >= 500)
      return { result: 'refused', reason, suppressed: suppressedBy(responseCode, reason) }
    // Before the server greeted us nothing can have been sent.
    if (responseCode || command === 'CONN') return { result: 'later', reason }
    throw error
  }
}
