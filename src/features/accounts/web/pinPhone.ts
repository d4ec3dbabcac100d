/** A phone on which somebody took an invitation or signed in with a PIN begins with the PIN the next time, also after the session was ended. */
const pinKey = 'swath.signs-in-by-pin'
export const remembersPin = (): boolean => {
  try {
    return localStorage.getItem(pinKey) === '1'
  } catch {
    return false
  }
}
export const rememberPin = (isPin: boolean): void => {
  try {
    if (isPin) localStorage.setItem(pinKey, '1')
    else localStorage.removeItem(pinKey)
  } catch {
    // then the next sign-in begins with the e-mail
  }
}
