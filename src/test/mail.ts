import { providersApi } from '../features/providers/contract.ts'
import { newId } from '../platform/ids.ts'
import { stranger } from './api.ts'

/** What the mail server shows when it hands a mail over. */
export const mailSecret = 'a-secret-of-the-mail-server'

/** A mail as the mail server hands it over, to an address of ours. */
export const mailTo = (to: string, lines: readonly string[]) =>
  stranger.raw({
    method: 'POST',
    url: `${providersApi.mail.path}?to=${encodeURIComponent(to)}`,
    headers: { authorization: `Bearer ${mailSecret}`, 'content-type': 'message/rfc822' },
    payload: lines.join('\r\n'),
  })

/** A report that a mail came back. @param status of RFC 3463 */
export const bounceReport = (status: string): string[] => [
  'From: mailer-daemon@mx.test',
  `Message-ID: <${newId()}@mx>`,
  'Content-Type: multipart/report; report-type=delivery-status; boundary="x"',
  '',
  '--x',
  'Content-Type: message/delivery-status',
  '',
  'Action: failed',
  `Status: ${status}`,
  `Diagnostic-Code: smtp; 550 ${status} no`,
  '--x--',
]
