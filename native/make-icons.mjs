// Draws the icons of both projects from the web's own (web/public). Needs what the root installs: `npm run icons` after a new mark.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const sharp = createRequire(join(import.meta.dirname, '..', 'package.json'))('sharp')
const root = join(import.meta.dirname, '..')
const full = join(root, 'web/public/icon-maskable-512.png')
const plain = join(root, 'web/public/icon-512.png')
const android = join(import.meta.dirname, 'android/app/src/main/res')
const ios = join(import.meta.dirname, 'ios/App/App/Assets.xcassets')

const ground = await sharp(full).extract({ left: 4, top: 4, width: 1, height: 1 }).removeAlpha().raw().toBuffer()
const background = { r: ground[0], g: ground[1], b: ground[2] }

for (const [density, scale] of Object.entries({ mdpi: 1, hdpi: 1.5, xhdpi: 2, xxhdpi: 3, xxxhdpi: 4 })) {
  const folder = join(android, `mipmap-${density}`)
  const icon = Math.round(48 * scale)
  await sharp(plain).resize(icon).png().toFile(join(folder, 'ic_launcher.png'))
  await sharp(plain).resize(icon).png().toFile(join(folder, 'ic_launcher_round.png'))
  await sharp(full)
    .resize(Math.round(108 * scale))
    .png()
    .toFile(join(folder, 'ic_launcher_foreground.png'))
}
await sharp(full).resize(1024).flatten({ background }).png().toFile(join(ios, 'AppIcon.appiconset/AppIcon-512@2x.png'))

const mark = await sharp(full).resize(512).png().toBuffer()
const splash = (size) =>
  sharp({ create: { width: size, height: size, channels: 3, background } })
    .composite([{ input: mark, gravity: 'centre' }])
    .png({ palette: true })
for (const name of ['splash-2732x2732', 'splash-2732x2732-1', 'splash-2732x2732-2'])
  await splash(2732).toFile(join(ios, `Splash.imageset/${name}.png`))
await splash(1280).toFile(join(android, 'drawable/splash.png'))
const hex = [background.r, background.g, background.b].map((part) => part.toString(16).padStart(2, '0')).join('')
console.log(`Icons drawn; their ground is #${hex}.`)
