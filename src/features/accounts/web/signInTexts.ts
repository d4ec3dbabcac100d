import { useEffect } from 'react'
import { brand } from '../../../shared/brand.ts'
import { phoneLanguage } from '../../../shared/phoneLanguage.ts'

/** The words of signing in, which a crew meets before anybody knows who they are. */
const en = {
  title: 'Sign in',
  home: 'Back to Home',
  show: 'Show password',
  showPin: 'Show PIN',
  email: 'Email',
  password: 'Password',
  passwordHint: 'At least 8 characters',
  emailNeeded: 'Enter your email.',
  emailWrong: 'This does not look like an email address.',
  passwordNeeded: 'Enter your password.',
  forgot: 'Forgot password?',
  or: 'or',
  google: 'Sign in with Google',
  googleMissing: 'Google sign-in is not set up on this server yet.',
  notReached: 'We could not reach Swath. Check your connection and try again.',
  withPin: 'Sign in with phone and PIN',
  link: 'Email me a sign-in link',
  linkNeedsEmail: 'Enter your email above first.',
  linkFailed: 'The link could not be sent. Please try again.',
  linkSent: null as string | null,
  newHere: `New to ${brand.name}?`,
  create: 'Create an account',
  welcome: (name: string) => `Welcome back, ${name}.`,
  wrong: 'Invalid credentials. Please try again.',
  failed: 'This did not work. Please try again.',
  pin: {
    signedOut: 'You are signed out on this phone.',
    signedOutMore:
      'Sign in with your PIN. If it no longer works, the office may have switched your access off: ask them.',
    phone: 'Phone number',
    phoneNeeded: 'Enter your phone number.',
    phoneWrong: 'This is not a US phone number. Check the digits.',
    pin: 'PIN',
    hint: 'Six digits. It works on the phone on which you took your invitation.',
    needed: 'Enter the six digits of your PIN.',
    withEmail: 'Sign in with email',
  },
  second: {
    title: 'One more step',
    form: 'Second step',
    code: 'Code',
    hint: 'The six digits that your authenticator app shows now, or one of your recovery codes.',
    goOn: 'Go on',
    again: 'Start again',
  },
  closed: { title: 'This business is closed', open: 'Open it again' },
  back: 'Back to sign in',
  localMail: 'Read the mail on this computer',
  forgotten: {
    title: 'Forgot password',
    lead: 'We mail you a link that sets a new password.',
    wrong: 'Please enter a valid email address',
    nothingThere: 'Nothing there after a few minutes? Look under spam, or check the address.',
    sendAgain: 'Send it again',
    send: 'Send the link',
    failed: 'An error occurred while requesting password reset. Please try again.',
  },
  reset: {
    title: 'Reset password',
    dead: 'Invalid or expired password reset token.',
    deadMore: 'A link works once, for one hour. Nothing was changed.',
    ask: 'Ask for a new link',
    lead: (email: string) => `A new password for ${email}. All devices are signed out.`,
    looking: 'Checking the link…',
    set: 'Set new password',
    done: 'Your password was changed. Sign in with the new one.',
    failed: 'An error occurred while resetting your password. Please try again.',
    fields: {
      label: 'New password',
      again: 'New password again',
      hint: 'At least 8 characters',
      short: 'Password must be at least 8 characters long',
      repeat: 'Type it once more',
      differ: 'Passwords do not match',
    },
  },
}

export type SignInTexts = typeof en

const es: SignInTexts = {
  title: 'Entrar',
  home: 'Volver al inicio',
  show: 'Mostrar la contraseña',
  showPin: 'Mostrar el PIN',
  email: 'Correo',
  password: 'Contraseña',
  passwordHint: 'Al menos 8 caracteres',
  emailNeeded: 'Escribe tu correo.',
  emailWrong: 'Esto no parece un correo.',
  passwordNeeded: 'Escribe tu contraseña.',
  forgot: '¿Olvidaste tu contraseña?',
  or: 'o',
  google: 'Entrar con Google',
  googleMissing: 'Este servidor aún no permite entrar con Google.',
  notReached: 'No pudimos conectar con Swath. Revisa tu señal e inténtalo otra vez.',
  withPin: 'Entrar con teléfono y PIN',
  link: 'Envíame un enlace por correo',
  linkNeedsEmail: 'Escribe primero tu correo arriba.',
  linkFailed: 'No se pudo enviar el enlace. Inténtalo otra vez.',
  linkSent: 'Si este correo tiene una cuenta, el enlace para entrar va en camino. Sirve por 15 minutos.',
  newHere: `¿Nuevo en ${brand.name}?`,
  create: 'Crear una cuenta',
  welcome: (name) => `Qué bueno verte, ${name}.`,
  wrong: 'El correo o la contraseña no son correctos. Inténtalo otra vez.',
  failed: 'No funcionó. Inténtalo otra vez.',
  pin: {
    signedOut: 'Saliste de la aplicación en este teléfono.',
    signedOutMore: 'Entra con tu PIN. Si ya no sirve, puede que la oficina haya cerrado tu acceso: pregunta allí.',
    phone: 'Número de teléfono',
    phoneNeeded: 'Escribe tu número de teléfono.',
    phoneWrong: 'Este no es un número de Estados Unidos. Revisa los dígitos.',
    pin: 'PIN',
    hint: 'Seis dígitos. Sirve en el teléfono en el que abriste tu invitación.',
    needed: 'Escribe los seis dígitos de tu PIN.',
    withEmail: 'Entrar con correo',
  },
  second: {
    title: 'Un paso más',
    form: 'Segundo paso',
    code: 'Código',
    hint: 'Los seis dígitos que tu aplicación de códigos muestra ahora, o uno de tus códigos de recuperación.',
    goOn: 'Seguir',
    again: 'Empezar de nuevo',
  },
  closed: { title: 'Esta empresa está cerrada', open: 'Abrirla otra vez' },
  back: 'Volver a entrar',
  localMail: 'Leer el correo en esta computadora',
  forgotten: {
    title: 'Contraseña olvidada',
    lead: 'Te enviamos por correo un enlace para poner una contraseña nueva.',
    wrong: 'Escribe un correo válido.',
    nothingThere: '¿No llega en unos minutos? Mira en el correo no deseado, o revisa la dirección.',
    sendAgain: 'Enviarlo otra vez',
    send: 'Enviar el enlace',
    failed: 'No se pudo pedir la contraseña nueva. Inténtalo otra vez.',
  },
  reset: {
    title: 'Contraseña nueva',
    dead: 'Este enlace ya no sirve.',
    deadMore: 'Un enlace sirve una vez, por una hora. No se cambió nada.',
    ask: 'Pedir un enlace nuevo',
    lead: (email) => `Una contraseña nueva para ${email}. Se cierra la sesión en todos los aparatos.`,
    looking: 'Revisando el enlace…',
    set: 'Guardar la contraseña nueva',
    done: 'Tu contraseña ha cambiado. Entra con la nueva.',
    failed: 'No se pudo cambiar tu contraseña. Inténtalo otra vez.',
    fields: {
      label: 'Contraseña nueva',
      again: 'Contraseña nueva otra vez',
      hint: 'Al menos 8 caracteres',
      short: 'La contraseña lleva al menos 8 caracteres.',
      repeat: 'Escríbela una vez más.',
      differ: 'Las contraseñas no son iguales.',
    },
  },
}

export const signInTexts = { en, es }

/** The words for whoever holds this phone. */
export const signInWords = (): SignInTexts => signInTexts[phoneLanguage()]

/** A page at the door tells the browser which language it speaks, for as long as it is shown. */
export const usePhoneLanguage = (): void =>
  useEffect(() => {
    document.documentElement.lang = phoneLanguage()
    return () => {
      document.documentElement.lang = 'en'
    }
  }, [])
