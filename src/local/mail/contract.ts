import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { headerLine } from '../../shared/headerLine.ts'

/** Files of one mail, in bytes together: a mail server hands over 10 MB, and on the wire a file is a third larger. */
export const mostPlayedBytes = 7 * 1024 * 1024
export const mostPlayedFiles = 12

const base64Of = (bytes: number): number => Math.ceil(bytes / 3) * 4

const PlayedMail = z
  .object({
    from: z.email('Write an address like ana@home.example'),
    fromName: headerLine(120).default(''),
    to: z.string().trim().min(3, 'Write whom it is to').max(320),
    subject: headerLine(300).default(''),
    text: z.string().trim().max(20_000).default(''),
    files: z
      .array(
        z.object({
          name: headerLine(120),
          mime: z
            .string()
            .max(100)
            .regex(/^[\w.+-]+\/[\w.+-]+$/, 'A file needs a kind like image/jpeg'),
          base64: z.base64(),
        }),
      )
      .max(mostPlayedFiles, `At most ${mostPlayedFiles} files go with one mail.`)
      .default([]),
  })
  .refine(({ subject, text, files }) => subject !== '' || text !== '' || files.length > 0, {
    path: ['text'],
    error: 'Write something first',
  })
  .refine(({ files }) => files.reduce((sum, { base64 }) => sum + base64.length, 0) <= base64Of(mostPlayedBytes), {
    path: ['files'],
    error: 'These files are more than 7 MB together. Take one out.',
  })

/** Mail to the business, played on this computer: what a mail server would hand over. */
export const localMailApi = {
  addresses: endpoint({
    method: 'GET',
    path: '/api/local/mail',
    access: 'office',
    permission: 'customers',
    query: z.object({ /** The mail that is to be answered. */ answers: z.uuid().optional() }),
    response: z.object({
      /** Addresses of the business that mail can come to. */
      addresses: z.array(z.object({ to: z.string(), label: z.string() })),
      /** Where an answer to that mail goes and who writes it; null where nobody can answer it. */
      answer: z.object({ from: z.string(), fromName: z.string(), to: z.string(), subject: z.string() }).nullable(),
    }),
    summary: 'Where mail to the business can be sent from the local outbox; not there in production',
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/local/mail',
    access: 'office',
    permission: 'customers',
    bodyLimitBytes: 11 * 1024 * 1024,
    body: PlayedMail,
    /** Whether anybody took it: mail to an address that we did not make is nobody's. */
    response: z.object({ received: z.boolean() }),
    summary: 'Hands a mail over as the mail server would, with its secret',
  }),
}
