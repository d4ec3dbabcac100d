import { PassThrough } from 'node:stream'
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer'
import { config } from '../config.ts'

/** An address at somebody's own domain, with the key that signs for it. */
export type OwnSender = { address: string; dkim: { domainName: string; keySelector: string; privateKey: string } }

export type Mail = {
  /** Our message id: becomes the Message-ID, so a bounce or a reply finds its way back. */
  id: string
  to: string
  fromName: string
  /** Left out: our own address. Where our mail server does not take it, the mail leaves from our own address after all. */
  from?: OwnSender | null
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
      /** The address that a mail left from. */
      from?: string
      /** Why our mail server did not take it from the address it was to leave from. */
      senderRefused?: string
    }
  | { result: 'refused'; reason: string; suppressed: string | null }
  | { result: 'later'; reason: string }

const connectMs = 10_000
/** A server may look at a whole mail before it says that it took it; hung up on meanwhile, nobody would know. */
const answerMs = 120_000
let transport: { url: string; to: Transporter } | undefined

/** Codes that are about the recipient's address (RFC 3463). Others under 5.1 are about the sender's: ours. A full box or a policy suppresses nothing. */
const goneCodes = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'])

/** Whether an enhanced status code says that an address takes no mail at all, now or later. */
export const isAddressGone = (code: string): boolean => goneCodes.has(code)

/** Whether a code says that a box takes nothing for now: it is full, or its server was away until ours gave up. A policy or our sender is neither. */
export const isBoxTrouble = (code: string): boolean => /^(?:4\.[0-6]\.\d+|5\.2\.[02])$/.test(code)

type SmtpError = { responseCode?: number; command?: string; response?: string }

/** Only a no to the recipient, with its finer code, is about the address: a bare 550 is as often about who sends. */
const suppressedBy = ({ command, response }: SmtpError): string | null => {
  const finer = /^\d{3}[ -](5\.\d+\.\d+)\b/.exec(response ?? '')?.[1]
  return command === 'RCPT TO' && finer && isAddressGone(finer)
    ? 'The mail server says this address does not exist'
    : null
}

/** A no to our sender, our password or our server: whoever runs it can mend that, and every mail that waits still leaves. Too large is about the mail. */
const isAboutUs = ({ command, responseCode }: SmtpError): boolean => command === 'MAIL FROM' && responseCode !== 552

/** What the mail itself is refused for, once it was heard: the policies (5.7.x) of a server that knows whose mail it lets through. */
const isAboutSender = (refusal: SmtpError): boolean =>
  (refusal.responseCode ?? 0) >= 500 &&
  (isAboutUs(refusal) || (refusal.command === 'DATA' && /^5\d\d[ -]5\.7\./.test(refusal.response ?? '')))

/** What is signed, so that nobody changes it on the way: what the library signs, and how offers are ended by one click. */
const signedHeaders = [
  ...['From', 'Sender', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'Cc', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'In-Reply-To', 'References', 'List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
].join(':')

const domain = (): string => new URL(config.publicUrl).hostname

type Box = (mail: Mail) => SendResult

const noBox: Box = () => ({ result: 'refused', reason: 'No mail server is set up on this server', suppressed: null })
let played = noBox

/** Says what becomes of mail on one's own computer; set at start. */
export const setPlayedMail = (by: Box): void => {
  played = by
}

type Beginning = SendMailOptions & { begins: () => void }

const openTransport = (url: string): Transporter => {
  const to = createTransport({
    url,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
  } as never)
  // The stream of a mail is made with its first command, never before: the error of a lost connection does not say at which command it was lost.
  to.use('stream', ({ data, message }, done) => {
    message.transform(() => {
      ;(data as Beginning).begins()
      return new PassThrough()
    })
    done()
  })
  return to
}

type HandOver = {
  answer: SendResult /** Our mail server does not take mail from this address. */
  senderRefused?: string
}

const handOver = async (mail: Mail): Promise<HandOver> => {
  if (!config.smtpUrl) return { answer: (config.production ? noBox : played)(mail) }
  if (transport?.url !== config.smtpUrl) transport = { url: config.smtpUrl, to: openTransport(config.smtpUrl) }
  let hasBegun = false
  try {
    const info = await transport.to.sendMail({
      messageId: `<${mail.id}@${domain()}>`,
      from: { name: mail.fromName, address: mail.from?.address ?? config.mailFrom },
      ...(mail.from ? { dkim: { ...mail.from.dkim, headerFieldNames: signedHeaders } } : {}),
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
      begins: () => {
        hasBegun = true
      },
    } as Beginning)
    return { answer: { result: 'accepted', provider: 'smtp', providerId: String(info.messageId), livemode: true } }
  } catch (error) {
    const refusal = error as SmtpError
    const reason = error instanceof Error ? error.message : 'The mail server refused it.'
    const { responseCode } = refusal
    // Until its first command nothing of the mail can have left, whatever went wrong: contact, TLS, our password.
    const about = mail.from && hasBegun && isAboutSender(refusal) ? { senderRefused: reason } : {}
    if (!hasBegun || (responseCode && (responseCode < 500 || isAboutUs(refusal))))
      return { answer: { result: 'later', reason }, ...about }
    if (responseCode) return { answer: { result: 'refused', reason, suppressed: suppressedBy(refusal) }, ...about }
    throw error
  }
}

/**
 * Hands a mail over: by SMTP when SMTP_URL is set, else on a computer of one's own to whoever plays the mail server. Waits 10 s for the server, 2 minutes for each of its answers.
 * @throws when contact was lost after the server may have accepted: the caller marks it `unknown` and does not send again by itself
 */
export const deliverMail = async (mail: Mail): Promise<SendResult> => {
  const first = await handOver(mail)
  // it was refused, so nobody has it: from our own address it is the same mail, and nobody waits for a setting of somebody else's
  const { answer } = first.senderRefused ? await handOver({ ...mail, from: null }) : first
  if (answer.result !== 'accepted') return answer
  return {
    ...answer,
    from: (first.senderRefused ? null : mail.from?.address) ?? config.mailFrom,
    ...(first.senderRefused ? { senderRefused: first.senderRefused } : {}),
  }
}
