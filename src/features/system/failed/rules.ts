/** As many failed tasks as one answer lists. */
export const mostListed = 100

/**
 * The first line of an error with everything taken out that may be somebody's: e-mail addresses, phone numbers and other long numbers, ids, what
 * stands in quotes, the values that a database quotes in brackets, and addresses of the web beyond their host.
 */
export const withoutPersonalData = (text: string): string =>
  (text.split('\n')[0] ?? '')
    .replace(/(https?:\/\/[^\s/]+)\S*/gi, '$1/…')
    .replace(/[^\s<>"'(]+@[^\s<>"')]+/g, '…@…')
    .replace(/=\([^)]*\)/g, '=(…)')
    .replace(/contains \(.*\)/gi, 'contains (…)')
    .replace(/"[^"]*"|'[^']*'|“[^”]*”|‘[^’]*’/g, '"…"')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '…')
    .replace(/\+?\(?\d[\d\s().-]{5,}\d/g, '…')
    .slice(0, 300)
