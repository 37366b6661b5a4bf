// Cyrillic, Greek and other letters that pass for a Latin one, each before it.
const pairs =
  'аaеeоoрpсcхxуyіiјjѕsһhԁdԛqԝwкkмmтtнhвbгrпnиuАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅSԌGԜWαaβbεeηnιiκkνvοoρpτtυuχxωwγyΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXɴnʀrɪiʟlʙbʜhɢgɑaɡgɩiıiłlŁLøoØOđdĐDħhŧtƒfßsæaœoʋvʏyᴀaᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpᴛtᴜuᴠvᴡwᴢz'
const latin = new Map<string, string>()
for (let at = 0; at < pairs.length; at += 2) latin.set(pairs[at] ?? '', pairs[at + 1] ?? '')

/** Letters and digits that English does not have. */
const other = /[^\P{L}A-Za-z]|[^\P{N}0-9]/u

/** Whether a word is written with letters or digits of another alphabet. */
export function hasForeignLetters(raw: string): boolean {
  return other.test(raw)
}

/**
 * A word as a person reads it, whatever letters it is made of. It serves to find what is forbidden: a sentence with such
 * letters in it asks for nothing.
 */
export function asRead(raw: string): string {
  return hasForeignLetters(raw) ? [...raw].map((letter) => latin.get(letter) ?? letter).join('') : raw
}
