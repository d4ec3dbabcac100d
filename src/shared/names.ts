/** How a person is spoken to: the first word of the name. */
export const firstNameOf = (name: string): string => name.split(' ')[0] ?? name

/** Whether what a person typed as a name can be one, or is left empty: a PIN or a phone number in the wrong field has no letter. */
export const isPersonName = (text: string): boolean => text === '' || /\p{L}/u.test(text)
export const nameWords = 'A name has letters.'
