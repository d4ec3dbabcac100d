/** Digits of what a person typed, without anything else. */
export const phoneDigits = (text: string): string => text.replace(/\D/g, '')

/**
 * A North American number in E.164, for forms and imports; the server checks others with a phone library.
 * @returns "+19125550123", or null when it is not ten digits (or eleven with a leading 1)
 */
export const toE164 = (text: string): string | null => {
  const digits = phoneDigits(text)
  const ten = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits
  return /^[2-9]\d{9}$/.test(ten) ? `+1${ten}` : null
}

/** "+19125550123" -> "(912) 555-0123"; anything else stays as it is. */
export const formatPhone = (e164: string): string => {
  const match = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164)
  return match ? `(${match[1]}) ${match[2]}-${match[3]}` : e164
}
