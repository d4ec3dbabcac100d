/** Digits of what a person typed, without anything else. */
export const phoneDigits = (text: string): string => text.replace(/\D/g, '')

/**
 * A North American number in E.164. Held against a phone library by `phone.test.ts` (decision 028).
 * @returns "+19125550147", or null when it is not ten digits (or eleven with a leading 1), or a number of another country
 */
export const toE164 = (text: string): string | null => {
  const digits = phoneDigits(text)
  const ten = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits
  // "+47 22 12 34 56" has ten digits too, and is somebody in Oslo
  const isForeign = /\+\D*[02-9]/.test(text)
  return !isForeign && /^[2-9]\d{9}$/.test(ten) ? `+1${ten}` : null
}

/** What a person typed in E.164: a North American number however it is written, another one with its + and country. Null for anything else. */
export const readPhone = (text: string): string | null => {
  const bare = text.replace(/[\s().-]/g, '')
  return toE164(text) ?? (/^\+[2-9]\d{6,14}$/.test(bare) ? bare : null)
}

/** "+19125550147" -> "(912) 555-0147"; anything else stays as it is. */
export const formatPhone = (e164: string): string => {
  const match = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164)
  return match ? `(${match[1]}) ${match[2]}-${match[3]}` : e164
}
