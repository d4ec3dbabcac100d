/** What somebody reads who signs out while this phone holds something of theirs; also on a public page, without the app's texts. */
export const leaveTexts = {
  en: {
    signOutTitle: 'Sign out with unsent work?',
    signOutText: (n: number) =>
      `${n === 1 ? 'One thing has not been sent. It stays' : `${n} things have not been sent. They stay`} on this phone and you go on with them when you sign in here again: what you finished is sent by itself.`,
    signOutAnyway: 'Sign out anyway',
    stay: 'Stay',
  },
  es: {
    signOutTitle: '¿Cerrar sesión con trabajo sin enviar?',
    signOutText: (n: number) =>
      n === 1
        ? 'Una cosa no se ha enviado. Queda en este teléfono y sigues con ella cuando inicies sesión aquí otra vez: lo que terminaste se envía solo.'
        : `${n} cosas no se han enviado. Quedan en este teléfono y sigues con ellas cuando inicies sesión aquí otra vez: las que terminaste se envían solas.`,
    signOutAnyway: 'Cerrar de todos modos',
    stay: 'Quedarme',
  },
}
