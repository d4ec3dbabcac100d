import { brand } from '../../../shared/brand.ts'
import { phoneLanguage } from '../../../shared/phoneLanguage.ts'

/** The words of signing in, which a crew meets before anybody knows who they are. */
const en = {
  title: 'Sign in',
  home: 'Back to Home',
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
}

export type SignInTexts = typeof en

const es: SignInTexts = {
  title: 'Entrar',
  home: 'Volver al inicio',
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
}

export const signInTexts = { en, es }

/** The words for whoever holds this phone. */
export const signInWords = (): SignInTexts => signInTexts[phoneLanguage()]
