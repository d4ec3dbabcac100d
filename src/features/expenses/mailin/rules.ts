import { parseDollars } from '../../../shared/money.ts'

const totalWords =
  /(?:grand total|order total|amount paid|total paid|total charged|total)\s*[:=]?\s*(?:USD)?\s*\$?\s*([\d,]+\.\d\d)\b/gi

/** The sum that a mail's words call the total, in cents: the last one, since a subtotal comes before it. Null where it says none. */
export const totalIn = (text: string): number | null => {
  const found = [...text.replace(/sub-?total/gi, 'before').matchAll(totalWords)].at(-1)?.[1]
  return found ? parseDollars(found) : null
}

/** Who a mail is from as a vendor: the second to last part of its domain. A person's own mailbox is no vendor. */
export const vendorOf = (from: string): string => {
  const parts = from.split('@')[1]?.split('.') ?? []
  const name = parts.at(-2) ?? ''
  if (/^(gmail|yahoo|outlook|hotmail|icloud|aol|me|live|msn|comcast|att|proton|protonmail)$/.test(name)) return ''
  return name ? `${name[0]?.toUpperCase()}${name.slice(1)}` : ''
}
