import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import { newId } from '../../platform/ids.ts'
import type { BodyOf } from '../../shared/endpoint.ts'
import type { localMailApi } from './contract.ts'

/** A mail as it comes from the wire. */
export const writeMail = ({ from, fromName, to, subject, text, files }: BodyOf<typeof localMailApi.send>) =>
  new MailComposer({
    from: { name: fromName, address: from },
    to,
    subject,
    messageId: `<${newId()}@written.local>`,
    text,
    attachments: files.map(({ name, mime, base64 }) => ({
      filename: name,
      contentType: mime,
      content: Buffer.from(base64, 'base64'),
    })),
  })
    .compile()
    .build()
