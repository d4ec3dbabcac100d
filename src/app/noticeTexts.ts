import { phoneLanguage } from '../shared/phoneLanguage.ts'

/** The words of a whole page with one thing to say. The office reads English; a crew the language of its phone, as nobody is known here yet. */
const en = {
  verifying: 'Verifying access...',
  unreachable: 'We cannot reach Swath',
  unreachableMore: 'Nothing was lost. Check your connection; this page continues where you were.',
  again: 'Try again',
  signedOut: 'You are signed out',
  signedOutMore:
    'There is no signal now, and signing in needs one. What was not sent yet is kept on this phone and leaves when you sign in again.',
  newVersion: 'A new version is ready',
  newVersionMore: 'This screen could not be loaded, most likely because Swath was updated. What you saved is safe.',
  reload: 'Reload',
  broken: 'Unexpected Application Error!',
  brokenMore:
    'This screen stopped working. What you saved is safe; what you were typing may be gone. Reload to go on, and send us the details if it happens again.',
  copy: 'Copy details',
  copied: 'Copied',
}

const es: typeof en = {
  verifying: 'Comprobando tu acceso…',
  unreachable: 'No podemos conectar con Swath',
  unreachableMore: 'No se perdió nada. Revisa tu señal; esta página sigue donde estabas.',
  again: 'Intentar otra vez',
  signedOut: 'Cerraste sesión',
  signedOutMore:
    'Ahora no hay señal, y para entrar hace falta. Lo que no se envió queda guardado en este teléfono y sale cuando vuelvas a entrar.',
  newVersion: 'Hay una versión nueva',
  newVersionMore:
    'Esta pantalla no se pudo cargar, casi seguro porque Swath se actualizó. Lo que guardaste está a salvo.',
  reload: 'Cargar de nuevo',
  broken: 'La pantalla dejó de funcionar',
  brokenMore:
    'Lo que guardaste está a salvo; lo que estabas escribiendo puede haberse perdido. Carga de nuevo para seguir, y envíanos los detalles si vuelve a pasar.',
  copy: 'Copiar detalles',
  copied: 'Copiado',
}

export const noticeTexts = (build: 'admin' | 'crew'): typeof en =>
  build === 'crew' && phoneLanguage() === 'es' ? es : en
