/** Parts of an address as they stand in a record. */
export type AddressParts = { street: string | null; city: string | null; state: string | null; zip: string | null }

/** "Savannah, GA 31419"; what is missing leaves no mark. */
export const cityLine = ({ city, state, zip }: Omit<AddressParts, 'street'>): string =>
  [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')

/** An address as it stands on an envelope, one line each; empty lines are left out. */
export const addressLines = (of: AddressParts): string[] => [of.street, cityLine(of)].filter((line) => line) as string[]
