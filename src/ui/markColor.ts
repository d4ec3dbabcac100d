/** A crew's color as a mark without text on it: lighter in the dark, where a dark one would be lost. */
export const markColor = (color: string): string => `color-mix(in oklab, ${color}, white var(--lift))`
