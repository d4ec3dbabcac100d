/** What the server and the session say to a person at the door of the crew app, and to their own details; in Spanish for a phone that speaks it. */
const messages: Readonly<Record<string, string>> = {
  // signing in
  'Please sign in to access this page.': 'Entra para ver esta página.',
  'Please sign in to continue': 'Entra para continuar.',
  'Invalid credentials. Please try again.': 'El correo o la contraseña no son correctos. Inténtalo otra vez.',
  'Invalid token response': 'No pudimos abrir tu sesión. Inténtalo otra vez.',
  'Session conflict detected - please log in again': 'Otra persona entró en este teléfono. Entra otra vez.',
  'Too many authentication failures. Please log in again.': 'No pudimos renovar tu sesión. Entra otra vez.',
  'Authentication failed. Please log in again.': 'Tu sesión terminó. Entra otra vez.',
  'Your session has ended. Please sign in again.': 'Tu sesión terminó. Entra otra vez.',
  'Your session has ended. Please sign in again; what you typed stays on this screen.':
    'Tu sesión terminó. Entra otra vez; lo que escribiste queda en esta pantalla.',
  'For your safety this session was ended. Please sign in again.':
    'Por tu seguridad se cerró esta sesión. Entra otra vez.',
  'This phone does not know you yet. Ask your office to text you an invitation, and open it on this phone.':
    'Este teléfono aún no te conoce. Pide a tu oficina una invitación por mensaje de texto y ábrela en este teléfono.',
  'Phone number or PIN is wrong. Try again, or ask your office to reset your PIN.':
    'El número de teléfono o el PIN no es correcto. Inténtalo otra vez, o pide a tu oficina un PIN nuevo.',
  'We could not reach Swath. Check your connection and try again.':
    'No pudimos conectar con Swath. Revisa tu señal e inténtalo otra vez.',
  'This took too long. Nothing was lost; please try again.': 'Tardó demasiado. No se perdió nada; inténtalo otra vez.',
  'Something went wrong on our side. Nothing was lost; please try again.':
    'Algo falló de nuestro lado. No se perdió nada; inténtalo otra vez.',
  'That was a lot at once. Wait a moment, then try again.':
    'Fueron muchos intentos seguidos. Espera un momento e inténtalo otra vez.',
  'This code is wrong or was used already. Wait for the next one, then enter it.':
    'Este código no es correcto o ya se usó. Espera el siguiente y escríbelo.',
  'This took too long. Please sign in again.': 'Tardó demasiado. Entra otra vez.',
  'Swath is away for a moment. Nothing was lost; please try again.':
    'Swath no responde por un momento. No se perdió nada; inténtalo otra vez.',
  'Too much at once. Nothing was lost; please try again in a minute.':
    'Fue mucho a la vez. No se perdió nada; inténtalo en un minuto.',
  // a new password
  'If this address has an account, a link to set a new password is on its way. It works for one hour.':
    'Si este correo tiene una cuenta, el enlace para una contraseña nueva va en camino. Sirve por una hora.',
  'Invalid or expired password reset token.': 'Este enlace ya no sirve.',
  // what a phone keeps because the office did not take it
  'The office has sent this quote already, so the photo was not added. Send it to the office by chat.':
    'La oficina ya envió esta cotización, así que la foto no se agregó. Envíala a la oficina por el chat.',
  'This quote has its six photos already.': 'Esta cotización ya tiene sus seis fotos.',
  'This photo belongs to something else already. Take it again here; nothing was changed.':
    'Esta foto ya es de otra cosa. Tómala aquí otra vez; no se cambió nada.',
  // own details
  'Enter your name': 'Escribe tu nombre.',
  'A name has letters.': 'Un nombre lleva letras.',
  'A phone number needs ten digits': 'Un número de teléfono lleva diez dígitos.',
  'Please enter a valid email address': 'Escribe un correo válido.',
  'Enter your password': 'Escribe tu contraseña.',
  'This is not your password.': 'Esta no es tu contraseña.',
  'This is your address already': 'Ese ya es tu correo.',
  'Password must be at least 8 characters long': 'La contraseña lleva al menos 8 caracteres.',
  'At most 128 characters': 'Como máximo 128 caracteres.',
  'Your first try is still being worked on. Nothing is lost and nothing is done twice: wait a moment, then try again.':
    'Tu primer intento aún está en camino. No se pierde nada ni se hace dos veces: espera un momento e inténtalo otra vez.',
}

/** Messages with a number in them. */
const patterns: readonly [RegExp, (count: string) => string][] = [
  [
    /^We sent you mail already\. .* try again in (\d+) minutes?\.$/,
    (n) => `Ya te enviamos un correo. Búscalo, también en el correo no deseado, o inténtalo en ${n} min.`,
  ],
  [
    /^Too many tries\. Please wait (\d+) seconds?, /,
    (n) => `Fueron muchos intentos. Espera ${n} segundos e inténtalo otra vez.`,
  ],
  [
    /^Too many tries\. Please wait (\d+) minutes?, /,
    (n) => `Fueron muchos intentos. Espera ${n} min e inténtalo otra vez.`,
  ],
]

/** All messages that have Spanish words; for the test that holds them against what is really said. */
export const translatedMessages = Object.keys(messages)

/** A message of the server in the language of the phone; one that has no Spanish words yet is `otherwise`, never English on a Spanish screen. */
export const messageIn = (language: 'en' | 'es', message: string, otherwise: string): string => {
  if (language === 'en') return message
  const known = messages[message]
  if (known) return known
  for (const [pattern, words] of patterns) {
    const found = pattern.exec(message)
    if (found?.[1]) return words(found[1])
  }
  return otherwise
}
